"""F1, F5, F10 on real processes: kill -9 of Valkey while people read and write."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from tests.faults.town import AWAY, BACK, FOLLOWERS, Town
from tests.runtime.processes import eventually

POSTS = 8


def test_a_killed_valkey_loses_nothing(town: Town) -> None:
    log = town.log_of("web")
    posts: list[int] = []
    with ThreadPoolExecutor(2) as threads:
        writing = threads.submit(_write, town, posts)
        eventually(lambda: len(posts) >= POSTS // 2)
        town.kill("valkey-server")
        at_the_kill = len(posts)

        def everything_is_back() -> bool:
            known = set(posts)  # posted is posted: what was answered before we ask is on the page
            assert known <= set(town.bob.get("/").entries)
            return writing.done() and log.count(BACK) > 0

        eventually(everything_is_back, seconds=120)
        writing.result()
    assert at_the_kill < len(posts) == POSTS
    town.come_to_rest()
    assert (log.count(AWAY), log.count(BACK)) == (1, 1)
    town.verify()  # all homes were lost: this fills them
    assert town.homes_with(posts[0]) == FOLLOWERS + 1
    town.verify()


def _write(town: Town, posts: list[int]) -> None:
    for number in range(POSTS):
        posts.append((town.alice, town.dana)[number % 2].write(f"number {number}"))
        time.sleep(0.2)
