"""Postgres restarted under the site: the first requests afterwards find their connections dead, and nobody notices."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

from tests.faults.town import Town
from tests.runtime.processes import eventually

THREADS = 4  # as many as a web process has, so that each connection of its pool is met


def test_the_first_requests_after_a_restart_answer_normally(town: Town) -> None:
    post = town.alice.write("before the restart")
    town.come_to_rest()
    with ThreadPoolExecutor(THREADS) as threads:

        def read_at_once() -> list[list[int]]:
            answers = threads.map(lambda _: town.bob.get("/"), range(2 * THREADS))
            return [answer.entries for answer in answers]

        assert all(post in entries for entries in read_at_once())
        assert town.web_connections() > 1
        _restart_postgres(town)
        assert all(post in entries for entries in read_at_once())
    later = town.alice.write("after the restart")
    assert later in town.bob.get("/").entries
    town.come_to_rest()
    town.verify()


def _restart_postgres(town: Town) -> None:
    """End Postgres as an administrator would; the supervisor starts it again."""
    old = town.pid("bin/postgres")
    os.kill(old, signal.SIGINT)
    state = town.site.data / "postgres" / "postmaster.pid"

    def is_back() -> bool:
        lines = state.read_text().splitlines() if state.exists() else []
        return len(lines) >= 8 and lines[0].strip() != str(old) and lines[7].strip() == "ready"

    eventually(is_back)
