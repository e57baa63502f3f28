"""Many rows of one job at once: a few hints are enough for all of them, and none waits for its lease (F5, F8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import insert, select

from app.extensions import db, redis
from app.outbox import running
from app.outbox.queue import ENOUGH_HINTS, queue_on
from app.posts.models import Post
from tests.activity.workers import Workers, eventually, nothing_open
from tests.outbox import drain, open_rows
from tests.people import Member

BURST = 3 * ENOUGH_HINTS


@pytest.fixture
def reposts(app: Flask, alice: Member, bob: Member, join: Callable[..., Member]) -> list[int]:
    """Bob has reposted many posts of Alice, one after the other, while no worker ran; return what he reposted."""
    join("dora").follow(bob)
    with app.app_context():
        db.session.execute(insert(Post), [{"author_id": alice.id, "text": f"post {n}"} for n in range(BURST)])
        db.session.commit()
    drain(app)
    with app.app_context():
        with redis.client() as client:
            client.flushall()
        posts = list(db.session.scalars(select(Post.id)))
    for post in posts:
        assert bob.send(f"/posts/{post}/repost").status_code == 303
    assert [row.details for row in open_rows(app)] == [{"post": post} for post in posts]
    assert queued(app) == ENOUGH_HINTS < len(posts)
    return posts


def queued(app: Flask) -> int:
    with app.app_context(), redis.client() as client:
        return queue_on(client).count


def test_a_burst_of_reposts_is_drained_in_batches(app: Flask, workers: Workers, reposts: list[int]) -> None:
    workers.start("work")  # and no scheduler: nothing is offered a second time
    eventually(app, nothing_open)


def test_a_worker_whose_time_is_over_leaves_a_hint_for_the_rest(
    app: Flask, reposts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "BATCH", 2)
    monkeypatch.setattr(running, "LONGEST_DRAIN_SECONDS", 0.0)
    with app.app_context():
        with redis.client() as client:
            client.flushall()
        running.drain(open_rows(app)[0].id)
    assert 0 < len(open_rows(app)) < len(reposts)
    assert queued(app) == 1
