"""F5 on real processes: a worker killed in the middle, a queue that is lost, Valkey stopped. The work is done, once."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, select, text

from app.accounts.models import User
from app.activity import verbs
from app.activity.models import Activity
from app.extensions import db, redis
from app.posts.models import Post
from app.runtime.servers import EphemeralServers
from tests.activity.workers import Workers, eventually, nothing_open
from tests.people import PASSWORD, Member

POSTS = 3_000  # six slices of the job that deletes them


@pytest.fixture
def leaver(app: Flask, alice: Member, bob: Member) -> Member:
    """Alice has written a lot, and deletes her account."""
    with app.app_context():
        many = text("INSERT INTO posts (author_id, text) SELECT :author, n FROM generate_series(1, :number) n")
        db.session.execute(many, {"author": alice.id, "number": POSTS})
        db.session.commit()
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert bob.feed() == []
    return alice


@contextmanager
def stuck_in_the_middle(app: Flask, leaver: Member) -> Iterator[None]:
    """Lock a post halfway: a worker gets as far as that and waits, however fast it is."""
    with app.app_context():
        hers = db.session.scalars(select(Post.id).where(Post.author_id == leaver.id).order_by(Post.id)).all()
        engine = db.engine
    with engine.connect() as connection:
        connection.execute(select(Post.id).where(Post.id == hers[POSTS // 2]).with_for_update())
        yield


def posts_left() -> int:
    return db.session.scalar(select(func.count()).select_from(Post)) or 0


def assert_purged_once(app: Flask, leaver: Member) -> None:
    with app.app_context():
        assert posts_left() == 0
        assert db.session.get(User, leaver.id) is None
        purged = select(func.count()).where(Activity.verb == verbs.ACCOUNT_PURGED, Activity.subject_id == leaver.id)
        assert db.session.scalar(purged) == 1


def test_a_worker_killed_in_the_middle_loses_nothing(app: Flask, workers: Workers, leaver: Member) -> None:
    workers.start("schedule")
    with stuck_in_the_middle(app, leaver):
        first = workers.start("work")
        eventually(app, lambda: 0 < posts_left() < POSTS)
        first.send_signal(signal.SIGKILL)
        first.wait()
    with app.app_context():
        assert 0 < posts_left() < POSTS, "it was not in the middle"
    workers.start("work")
    eventually(app, nothing_open)
    assert_purged_once(app, leaver)


def test_a_queue_that_is_dropped_loses_nothing(app: Flask, workers: Workers, leaver: Member) -> None:
    with redis.client() as client:
        assert client.keys("rq:*")
        client.flushall()
    workers.start("schedule")
    workers.start("work")
    eventually(app, nothing_open)
    assert_purged_once(app, leaver)


def test_valkey_stopped_while_a_job_is_queued_loses_nothing(
    app: Flask, workers: Workers, servers: EphemeralServers, leaver: Member, tmp_path: Path
) -> None:
    servers.valkey.kill()
    with (tmp_path / "log").open("wb") as log:
        scheduler = workers.start("schedule", log=log)
        eventually(app, lambda: "Redis is away" in (tmp_path / "log").read_text())
    time.sleep(1)
    assert scheduler.poll() is None, "the scheduler outlives Valkey"
    servers.valkey.start()
    redis.init_app(app)
    workers.start("work")
    eventually(app, nothing_open)
    assert_purged_once(app, leaver)


def test_valkey_killed_under_a_working_worker_loses_nothing(
    app: Flask, workers: Workers, servers: EphemeralServers, leaver: Member
) -> None:
    workers.start("schedule")
    with stuck_in_the_middle(app, leaver):
        worker = workers.start("work")
        eventually(app, lambda: 0 < posts_left() < POSTS)
        servers.valkey.kill()
        worker.kill()
    servers.valkey.start()
    redis.init_app(app)
    workers.start("work")
    eventually(app, nothing_open)
    assert_purged_once(app, leaver)
