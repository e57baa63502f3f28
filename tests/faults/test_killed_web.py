"""F5 on real processes: kill -9 of the web process after it has committed a post and before it has told a worker."""

from __future__ import annotations

from http.client import RemoteDisconnected
from urllib.error import URLError

import pytest

from app.runtime.port import is_healthy
from tests.faults import seams
from tests.faults.town import FOLLOWERS, Town
from tests.runtime.processes import eventually

NEWEST_POST = "SELECT max(id) FROM posts WHERE text = 'heard by nobody'"


def test_a_post_whose_web_process_dies_before_the_hint_reaches_everybody(town: Town) -> None:
    with town.paused("worker.py work", "worker.py schedule"):
        hints = town.hints()
        seams.arm(town.site.data, seams.WEB_BEFORE_HINT)
        with pytest.raises((URLError, RemoteDisconnected, ConnectionError)):
            town.alice.write("heard by nobody")
        assert seams.has_died(town.site.data, seams.WEB_BEFORE_HINT)
        [(post,)] = town.query(NEWEST_POST)
        assert isinstance(post, int), "it died before the commit"
        assert town.open_rows() == 1
        assert town.hints() == hints, "somebody was told"
        assert town.homes_with(post) == 0
        eventually(lambda: is_healthy("127.0.0.1", town.site.port))
        assert post in town.bob.get("/").entries, "nothing is missing, whoever has been told"
    town.come_to_rest()
    assert town.homes_with(post) == FOLLOWERS + 1
    assert town.alice.get("/").entries.count(post) == 1
    town.verify()
