"""F8, fan-out: timeline writes per second of one worker, against the script that it runs and against plain commands."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from app.feed import fanout, timeline
from bench import windows
from bench.data import FOLLOWERS_OF_BIG
from bench.load import WrongAnswer
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage
from bench.workers import Worker, publish, working

POSTS = 4  # per round
FOLLOWERS_PER_TRIP = 1000  # of the plain commands, three for each


def measure(stage: Stage) -> Iterator[Figure]:
    """Write the same number of posts into full windows of as many people, each side into windows of its own."""
    size = FOLLOWERS_OF_BIG
    ours, scripted, plain = (stage.cast.crowd[start : start + size] for start in (0, size, 2 * size))
    with working(stage) as worker:
        rates = in_turns(
            {
                "worker": lambda: _by_worker(stage, worker, ours),
                "script": lambda: _by_script(stage, scripted),
                "plain": lambda: _by_plain_commands(stage, plain),
            },
            rounds=stage.scale.rounds,
        )
    worker_rate = ("worker, writes/s", rates["worker"])
    yield ratio(
        f"timeline writes/s, {size:,} followers, worker against bare loop of its script",
        worker_rate,
        ("script", rates["script"]),
        bar=Bar(least=0.8),
        note=f"{len(stage.cast.crowd):,} full windows; from the outbox rows to their deletion, {POSTS} posts a round",
    )
    yield ratio(
        "the same, against a redis-py pipeline of ZADD, ZREMRANGEBYRANK, EXPIRE",
        worker_rate,
        ("plain", rates["plain"]),
        bar=Bar(least=2),
    )


def _by_worker(stage: Stage, worker: Worker, followers: Sequence[int]) -> float:
    """Lay out posts, let the worker go and wait until the outbox is empty."""
    worker.process.pause()
    post_ids = publish(stage.app, [stage.cast.followed[FOLLOWERS_OF_BIG]] * POSTS)
    seconds = worker.time(worker.outbox_is_empty)
    worker.settle()
    windows.check_arrived(stage.redis, _keys(stage, followers), post_ids)
    return POSTS * len(followers) / seconds


def _by_script(stage: Stage, followers: Sequence[int]) -> float:
    """Send what the worker sends, in round trips of its size, and do nothing else."""
    slices = [followers[start : start + fanout.SLICE] for start in range(0, len(followers), fanout.SLICE)]
    with stage.app.app_context():
        push = timeline.push_home
        trips = [
            list(push(stage.crowd.generation, some, [post_id])) for post_id in stage.next_ids(POSTS) for some in slices
        ]
    begun = time.perf_counter()
    written = sum(sum(timeline.send(stage.redis, trip)) for trip in trips)
    return _rate(written, begun, len(followers))


def _by_plain_commands(stage: Stage, followers: Sequence[int]) -> float:
    """Do it as it is done without scripts: three commands for each follower, pipelined."""
    keys, cap = _keys(stage, followers), stage.app.config["FEED_WINDOW"]
    trips = [keys[start : start + FOLLOWERS_PER_TRIP] for start in range(0, len(keys), FOLLOWERS_PER_TRIP)]
    post_ids = stage.next_ids(POSTS)
    begun, written = time.perf_counter(), 0
    for post_id in post_ids:
        for trip in trips:
            pipeline = stage.redis.pipeline(transaction=False)
            for key in trip:
                pipeline.zadd(key, {str(post_id): -post_id})
                pipeline.zremrangebyrank(key, cap, -1)
                pipeline.expire(key, timeline.KEPT_SECONDS)
            written += sum(pipeline.execute()[::3])
    return _rate(written, begun, len(followers))


def _rate(written: int, begun: float, followers: int) -> float:
    seconds = time.perf_counter() - begun
    if written != POSTS * followers:
        raise WrongAnswer(f"{written} timelines were written instead of {POSTS * followers}")
    return written / seconds


def _keys(stage: Stage, followers: Sequence[int]) -> list[str]:
    return [timeline.home_key(stage.crowd.generation, user_id) for user_id in followers]
