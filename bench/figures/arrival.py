"""F8, promptness: how long a post takes to the last of ten thousand followers."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from statistics import median, quantiles

from app.feed.timelines import fanout
from app.feed.timelines import keys as timeline
from bench import windows
from bench.data import FOLLOWERS_OF_BIG
from bench.load import Line, WrongAnswer
from bench.report import Bar, Figure
from bench.stage import Stage
from bench.workers import Worker, working


def measure(stage: Stage) -> Iterator[Figure]:
    """Post over HTTP while a worker is idle, and look into the home of the follower whose turn comes last."""
    author = stage.browser(stage.cast.followed[FOLLOWERS_OF_BIG])
    token, line, keys = stage.csrf_token(author), Line(stage.site.port), _followers(stage)
    with working(stage) as worker:
        waits = []
        for number in range(stage.scale.rounds + 1):
            answer = line.ask(author.post(f"Breaking, number {number}", csrf_token=token))
            waits.append(_until_arrived(worker, keys, answer.body))
    line.close()
    waits = waits[1:]  # the first one found neither the web nor the worker warm
    low, _, high = quantiles(waits, n=4)
    yield Figure(
        f"from the answer to the author to the last of {len(keys):,} followers",
        median(waits),
        unit="s",
        spread=(low, high),
        bar=Bar(most=1),
        behind={"slowest, s": max(waits)},
        note="a worker of worker.py, idle before",
    )


def _followers(stage: Stage) -> list[str]:
    """Return the homes of the author's followers in the order in which they are written."""
    keys: list[str] = []
    after, author_id = 0, stage.cast.followed[FOLLOWERS_OF_BIG]
    with stage.app.app_context():
        while some := fanout.followers_of(author_id, after=after):
            keys += [timeline.home_key(stage.crowd.generation, follower) for _, follower in some]
            after = some[-1][0]
    return keys


def _until_arrived(worker: Worker, keys: list[str], body: bytes) -> float:
    """Return the seconds until the last home has the post of an answer; then check that all have it."""
    begun = time.perf_counter()
    found = re.search(rb'<article[^>]* data-entry="(\d+)"', body)
    if found is None:
        raise WrongAnswer("the answer does not hold the new post")
    post_id = int(found[1])
    worker.wait_for(lambda: worker.redis.zscore(keys[-1], str(post_id)) is not None)
    seconds = time.perf_counter() - begun
    windows.check_arrived(worker.redis, keys, [post_id])
    worker.wait_for(worker.outbox_is_empty)
    worker.settle()
    return seconds
