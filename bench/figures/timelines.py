"""F8, fan-out: timeline writes per second of one worker, against the script that it runs and against plain commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.feed.timelines import fanout, transport
from app.feed.timelines import keys as timeline
from bench import windows
from bench.cpu import Spent, spend
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
        spent = in_turns(
            {
                "worker": lambda: _by_worker(stage, worker, ours),
                "script": lambda: _by_script(stage, scripted),
                "plain": lambda: _by_plain_commands(stage, plain),
            },
            rounds=stage.scale.rounds,
        )
    rates = {side: [POSTS * size / each.seconds for each in rounds] for side, rounds in spent.items()}
    costs = {side: [1e6 * each.cpu_seconds / (POSTS * size) for each in rounds] for side, rounds in spent.items()}
    yield ratio(
        f"timeline writes/s, {size:,} followers, worker against bare loop of its script",
        ("worker, writes/s", rates["worker"]),
        ("script", rates["script"]),
        bar=Bar(least=0.8),
        note=f"{len(stage.cast.crowd):,} full windows; from the outbox rows to their deletion, {POSTS} posts a round",
    )
    yield ratio(
        "the same, against a redis-py pipeline of ZADD, ZREMRANGEBYRANK, EXPIRE",
        ("worker, writes/s", rates["worker"]),
        ("plain", rates["plain"]),
        bar=Bar(least=2),
    )
    yield ratio(
        "processor time per timeline write, all processes, worker against bare loop",
        ("worker, µs", costs["worker"]),
        ("script, µs", costs["script"]),
        beside={"plain, µs": costs["plain"]},
    )


def _by_worker(stage: Stage, worker: Worker, followers: Sequence[int]) -> Spent:
    """Lay out posts, let the worker go and wait until the outbox is empty."""
    worker.process.pause()
    post_ids = publish(stage.app, [stage.cast.followed[FOLLOWERS_OF_BIG]] * POSTS)
    spent = worker.finish(worker.outbox_is_empty)
    worker.settle()
    windows.check_arrived(stage.redis, _keys(stage, followers), post_ids)
    return spent


def _by_script(stage: Stage, followers: Sequence[int]) -> Spent:
    """Send what the worker sends, in round trips of its size, and do nothing else."""
    slices = [followers[start : start + fanout.SLICE] for start in range(0, len(followers), fanout.SLICE)]
    with stage.app.app_context():
        push, post_ids = timeline.push_home, stage.next_ids(POSTS)
        trips = [list(push(stage.crowd.generation, some, [post_id])) for post_id in post_ids for some in slices]
    written: list[int] = []

    def work() -> None:
        for trip in trips:
            written.extend(transport.send(stage.redis, trip))

    return _checked(spend(work, stage.servers.valkey.pid, here=True), sum(written), len(followers))


def _by_plain_commands(stage: Stage, followers: Sequence[int]) -> Spent:
    """Do it as it is done without scripts: three commands for each follower, pipelined."""
    keys, cap = _keys(stage, followers), stage.app.config["FEED_WINDOW"]
    trips = [keys[start : start + FOLLOWERS_PER_TRIP] for start in range(0, len(keys), FOLLOWERS_PER_TRIP)]
    post_ids, written = stage.next_ids(POSTS), list[int]()

    def work() -> None:
        for post_id in post_ids:
            for trip in trips:
                pipeline = stage.redis.pipeline(transaction=False)
                for key in trip:
                    pipeline.zadd(key, {str(post_id): -post_id})
                    pipeline.zremrangebyrank(key, cap, -1)
                    pipeline.expire(key, timeline.KEPT_SECONDS)
                written.extend(pipeline.execute()[::3])

    return _checked(spend(work, stage.servers.valkey.pid, here=True), sum(written), len(followers))


def _checked(spent: Spent, written: int, followers: int) -> Spent:
    if written != POSTS * followers:
        raise WrongAnswer(f"{written} timelines were written instead of {POSTS * followers}")
    return spent


def _keys(stage: Stage, followers: Sequence[int]) -> list[str]:
    return [timeline.home_key(stage.crowd.generation, user_id) for user_id in followers]
