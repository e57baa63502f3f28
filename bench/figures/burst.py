"""F8, many posts at once: what a worker makes of them, against what it makes of empty jobs."""

from __future__ import annotations

from collections.abc import Iterator

from app.feed.timelines import keys as timeline
from bench import windows
from bench.cpu import Spent
from bench.data import FOLLOWERS_IN_CIRCLE
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage
from bench.workers import Worker, publish, working


def measure(stage: Stage) -> Iterator[Figure]:
    """Lay out posts or empty jobs while the worker is held back, and let it go."""
    number = stage.scale.burst
    with working(stage) as worker:
        spent = in_turns(
            {"posts": lambda: _posts(stage, worker, number), "jobs": lambda: _empty_jobs(worker, number)},
            rounds=max(2, stage.scale.rounds // 2),
        )
    rates = {side: [number / each.seconds for each in rounds] for side, rounds in spent.items()}
    costs = {side: [1000 * each.cpu_seconds / number for each in rounds] for side, rounds in spent.items()}
    yield ratio(
        f"posts/s in a burst of {number:,}, {FOLLOWERS_IN_CIRCLE} followers each, against empty RQ jobs/s",
        ("posts/s", rates["posts"]),
        ("jobs/s", rates["jobs"]),
        bar=Bar(least=3),
        note="the same worker process; each post into a hundred full windows, its outbox row deleted",
    )
    yield ratio(
        "the same: processor time per post against per empty job, all processes",
        ("post: ms", costs["posts"]),
        ("job: ms", costs["jobs"]),
    )


def _posts(stage: Stage, worker: Worker, number: int) -> Spent:
    worker.process.pause()
    authors = stage.cast.circles
    post_ids = publish(stage.app, [authors[each % len(authors)] for each in range(number)])
    spent = worker.finish(worker.outbox_is_empty)
    worker.settle()
    _check(stage, post_ids)
    return spent


def _check(stage: Stage, post_ids: list[int]) -> None:
    """Look for every post in the window of the last follower of its author."""
    circles = len(stage.cast.circles)
    for number in range(circles):
        last = stage.cast.crowd[(number + 1) * FOLLOWERS_IN_CIRCLE - 1]
        key = timeline.home_key(stage.crowd.generation, last)
        windows.check_arrived(stage.redis, [key], post_ids[number::circles])


def _empty_jobs(worker: Worker, number: int) -> Spent:
    worker.process.pause()
    last = [worker.enqueue_nothing() for _ in range(number)][-1]
    return worker.finish(lambda: not worker.redis.exists(last))
