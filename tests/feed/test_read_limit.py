"""How often a reader may ask for the feed: counted on the round trip that is made anyway, here while Redis is away."""

from __future__ import annotations

import pytest
from flask import Flask

from app.core import redis as gate
from app.extensions import limiter, redis
from app.web import limits
from tests.feed.test_new_posts import since_of
from tests.outbox import drain
from tests.people import Member
from tests.redis_trips import round_trips


@pytest.fixture
def reader(app: Flask, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch) -> Member:
    """Bob, who may ask three times a minute."""
    alice.write("hello")
    drain(app)
    bob.get("/"), bob.get("/")
    monkeypatch.setattr(limits, "READS_PER_MINUTE", 3)
    monkeypatch.setattr(limits, "_minute", lambda: 7)  # the same for the whole test
    monkeypatch.setattr(limiter, "enabled", True)
    return bob


def ask(reader: Member, since: str) -> int:
    return reader.get(f"/feed/new?since={since}", fragment=True).status_code


def test_one_too_many_is_refused_and_told_when_to_come_back(app: Flask, alice: Member, reader: Member) -> None:
    since = since_of(reader.get("/").text)
    assert [ask(reader, since) for _ in range(4)] == [204, 204, 204, 429]
    refused = reader.get("/feed")
    assert refused.status_code == 429 and 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Slow down a little" in refused.text
    assert ask(alice, since_of(alice.get("/").text)) == 204, "each reader is counted alone"
    assert reader.get("/").status_code == 200, "the home page itself is not limited"


def test_counting_takes_no_round_trip_of_its_own(reader: Member) -> None:
    since = since_of(reader.get("/").text)
    with round_trips() as trips:
        ask(reader, since)
    assert trips == [["EVALSHA", "INCR", "EXPIRE"]]


def test_without_redis_the_process_counts(reader: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    since = since_of(reader.get("/").text)

    def away() -> None:
        raise gate.RedisAway

    monkeypatch.setattr(limits.reads, "_minute", 0)
    monkeypatch.setattr(redis, "client", away)
    assert [ask(reader, since) for _ in range(4)] == [204, 204, 204, 429]
