"""What happened and what must follow from it are written together or not at all."""

from __future__ import annotations

from flask import Flask
from rq import Queue
from sqlalchemy import func, select

from app.activity import verbs
from app.activity.models import Activity
from app.activity.operations import record
from app.core.after_commit import after_commit
from app.extensions import db, redis
from app.outbox.models import OutboxRow
from app.outbox.queue import queue_on
from app.runtime.servers import EphemeralServers
from tests.outbox import open_jobs


def queued() -> int:
    with redis.client() as client:
        queue: Queue = queue_on(client)
        return queue.count


def test_history_outbox_and_queue_agree_after_a_commit(app: Flask) -> None:
    with app.app_context():
        record(verbs.ACCOUNT_DELETED, actor_id=7, subject_id=7)
        assert queued() == 0, "a worker must not hear of a row that is not committed"
        db.session.commit()
        assert queued() == 1
        assert db.session.scalars(select(Activity.verb)).all() == [verbs.ACCOUNT_DELETED]
    assert open_jobs(app) == ["posts.purge_posts"]


def test_a_rollback_leaves_nothing_behind(app: Flask) -> None:
    with app.app_context():
        record(verbs.ACCOUNT_DELETED, actor_id=7, subject_id=7)
        db.session.rollback()
        db.session.commit()
        assert queued() == 0
        assert db.session.scalar(select(func.count()).select_from(Activity)) == 0
        assert db.session.scalar(select(func.count()).select_from(OutboxRow)) == 0


def test_the_release_of_a_savepoint_is_not_a_commit(app: Flask) -> None:
    called = []
    with app.app_context():
        after_commit(db.session(), lambda: called.append("now"))
        with db.session.begin_nested():
            db.session.execute(select(1))
        assert called == []
        db.session.commit()
    assert called == ["now"]


def test_the_rollback_of_a_savepoint_keeps_what_waits_for_the_commit(app: Flask) -> None:
    called = []
    with app.app_context():
        after_commit(db.session(), lambda: called.append("now"))
        savepoint = db.session.begin_nested()
        savepoint.rollback()
        db.session.commit()
    assert called == ["now"]


def test_a_verb_that_nothing_follows_from_opens_no_row(app: Flask) -> None:
    with app.app_context():
        record(verbs.POST_DELETED, actor_id=7, subject_id=8)
        db.session.commit()
    assert open_jobs(app) == []


def test_with_redis_away_the_row_waits_in_the_outbox(app: Flask, servers: EphemeralServers) -> None:
    servers.valkey.kill()
    try:
        with app.app_context():
            record(verbs.ACCOUNT_DELETED, actor_id=7, subject_id=7)
            db.session.commit()
        assert open_jobs(app) == ["posts.purge_posts"]
    finally:
        servers.valkey.start()
        redis.init_app(app)


def test_the_outbox_command_says_what_is_open(app: Flask) -> None:
    runner = app.test_cli_runner()
    assert runner.invoke(args=["outbox"]).output == "Nothing is open.\n"
    with app.app_context():
        record(verbs.ACCOUNT_DELETED, actor_id=7, subject_id=7)
        db.session.commit()
    assert "posts.purge_posts: 1 open, oldest from 20" in runner.invoke(args=["outbox"]).output
