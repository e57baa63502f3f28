"""Valkey stopped and not dead, while people read and write (F5, F7, F10): nobody waits for it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

from app.core.redis import OPEN_SECONDS
from tests.faults.seams import REDIS_TIMEOUT
from tests.faults.town import AWAY, BACK, FOLLOWERS, Town
from tests.faults.visitor import Visitor
from tests.runtime.processes import eventually

POSTS = 8
THREADS = 4  # of a web process
# Long enough that everybody asks again in between, and is disappointed.
OUTAGE_SECONDS = REDIS_TIMEOUT + OPEN_SECONDS + 1.5
# Web and scheduler each ask twice in that time; the four threads of the web process and the rate limiter add a few.
MAX_ASKED = 15


def test_a_stopped_valkey_is_slow_for_nobody(town: Town) -> None:
    unfollowed = town.carol.write("nobody follows me yet")
    town.come_to_rest()
    log, place = town.log_of("web"), town.bob.place()
    with town.valkey() as client:
        connections = int(client.info("stats")["total_connections_received"])
    posts: list[int] = []
    with town.paused("valkey-server"):
        stopped = time.monotonic()
        _read_at_once(town.bob, place)
        town.bob.follow(town.carol)
        while time.monotonic() < stopped + OUTAGE_SECONDS:
            if len(posts) < POSTS:
                author = (town.alice, town.dana)[len(posts) % 2]
                posts.append(author.write(f"post {len(posts)}"))
                assert author.get("/").entries[0] == posts[-1]
            assert {unfollowed, *posts} <= set(town.bob.get("/").entries)
            assert town.bob.unread(place) == len(posts) + 1
            time.sleep(0.05)
        lasted = time.monotonic() - stopped
        assert (log.count(AWAY), log.count(BACK)) == (1, 0)
        assert town.bob.get("/readyz").text.count("away") == 1
    with town.valkey() as client:  # those who asked meanwhile stood in the queue before us
        asked = int(client.info("stats")["total_connections_received"]) - connections - 1
    assert asked <= MAX_ASKED * lasted / OUTAGE_SECONDS, (
        f"{asked} times somebody waited for a Valkey that does not answer"
    )
    _come_back(town)
    assert (log.count(AWAY), log.count(BACK)) == (1, 1)
    assert [town.homes_with(post) for post in posts] == [FOLLOWERS + 1] * len(posts)
    town.verify()


def _read_at_once(reader: Visitor, place: str) -> None:
    """Ask with as many requests as a web process has threads, so that all of them find out at the same moment."""
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda _: reader.unread(place), range(THREADS)))


def _come_back(town: Town) -> None:
    """Read on until the site has noticed that Valkey is back and has done what was left."""
    log = town.log_of("web")

    def is_back() -> bool:
        time.sleep(0.1)
        town.bob.get("/")
        return bool(log.count(BACK)) and town.open_rows() == 0

    eventually(is_back)
