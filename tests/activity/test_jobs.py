"""Every job may run twice, late, or at the same time as its twin (F6), and none is lost (F5)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, text, update

from app.activity import partitions
from app.activity.models import Activity
from app.extensions import db, redis
from app.outbox import schedule
from app.outbox.models import OutboxRow
from app.outbox.queue import queue_on
from app.outbox.rows import Subscriptions, open_row
from app.outbox.running import run_row
from app.outbox.sweeper import sweep
from tests.outbox import open_rows
from tests.threads import at_once

ran: list[int] = []
gate, started = threading.Event(), threading.Event()


def note(row: OutboxRow) -> None:
    """A job that leaves a row behind, so that a rollback takes it back."""
    started.set()
    gate.wait(5)
    db.session.add(Activity(verb="note.taken", subject_id=row.subject_id))
    db.session.flush()


def count_down(row: OutboxRow) -> dict[str, Any] | None:
    left = row.state.get("left", row.details.get("start", 0))
    ran.append(left)
    return {"left": left - 1} if left else None


def fail(row: OutboxRow) -> None:
    db.session.add(Activity(verb="note.taken", subject_id=row.subject_id))
    db.session.flush()
    raise RuntimeError("not today")


@pytest.fixture(autouse=True)
def own_jobs(app: Flask) -> Iterator[None]:
    """Put jobs of these tests into the table, and the real table back afterwards."""
    real = app.extensions["freshet.subscriptions"]
    app.extensions["freshet.subscriptions"] = Subscriptions(
        {"activity.note": note, "activity.count_down": count_down, "activity.fail": fail}, {}, {}
    )
    ran.clear()
    gate.set()
    started.clear()
    yield
    app.extensions["freshet.subscriptions"] = real


def open_job(app: Flask, name: str, **details: int) -> int:
    with app.app_context():
        open_row(f"activity.{name}", 1, details=details)
        db.session.commit()
        return db.session.scalars(select(OutboxRow.id).order_by(OutboxRow.id.desc()).limit(1)).one()


def run(app: Flask, row_id: int) -> None:
    with app.app_context():
        run_row(row_id)


def notes(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).where(Activity.verb == "note.taken")) or 0


def make_due(app: Flask) -> None:
    with app.app_context():
        db.session.execute(update(OutboxRow).values(lease_until=func.now() - timedelta(seconds=1)))
        db.session.commit()


def test_F6_a_job_delivered_twice_is_done_once(app: Flask) -> None:
    row = open_job(app, "note")
    run(app, row)
    run(app, row)
    assert notes(app) == 1
    assert open_rows(app) == []


def test_F6_a_job_beside_its_twin_is_done_once(app: Flask) -> None:
    row = open_job(app, "note")
    gate.clear()
    threading.Timer(0.3, gate.set).start()
    at_once(*[lambda: run(app, row)] * 4)
    assert notes(app) == 1


def test_a_long_job_goes_on_slice_by_slice(app: Flask) -> None:
    row = open_job(app, "count_down", start=3)
    for left in (2, 1, 0):
        run(app, row)
        [kept] = open_rows(app)
        assert (kept.details, kept.state) == ({"start": 3}, {"left": left})
    run(app, row)
    assert ran == [3, 2, 1, 0]
    assert open_rows(app) == []


def test_a_job_that_fails_leaves_nothing_done_and_is_put_off(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    row = open_job(app, "fail")
    with caplog.at_level(logging.ERROR):
        run(app, row)
    assert notes(app) == 0
    [kept] = open_rows(app)
    assert (kept.attempts, kept.last_error) == (1, "RuntimeError('not today')")
    assert "attempt 1" in caplog.text


def test_a_row_with_an_unknown_job_is_put_off_and_stops_no_other(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    unknown, note_row = open_job(app, "unheard_of"), open_job(app, "note")
    run(app, unknown)
    run(app, note_row)
    [kept] = open_rows(app)
    assert (kept.id, kept.attempts) == (unknown, 1)
    assert kept.last_error == "UnknownJob('no job is called activity.unheard_of')"
    assert f"job activity.unheard_of of outbox row {unknown} failed" in caplog.text
    assert notes(app) == 1


def test_F5_the_sweeper_offers_a_row_whose_lease_is_over_again(app: Flask) -> None:
    open_job(app, "note")
    with app.app_context():
        with redis.client() as client:
            client.flushall()  # the queue is lost
        assert sweep() == 0, "its lease still holds"
        make_due(app)
        assert sweep() == 1
        assert sweep() == 0, "it was just offered"
        with redis.client() as client:
            assert queue_on(client).count == 1


def test_the_sweeper_leaves_alone_what_is_being_done(app: Flask) -> None:
    row = open_job(app, "note")
    make_due(app)
    gate.clear()
    worker = threading.Thread(target=run, args=(app, row))
    worker.start()
    try:
        assert started.wait(5)
        with app.app_context():
            assert sweep() == 0
    finally:
        gate.set()
        worker.join()
    assert notes(app) == 1


def test_a_task_runs_once_however_many_schedulers_there_are(app: Flask) -> None:
    times: list[int] = []
    task = schedule.Task("count", timedelta(hours=1), lambda: times.append(1))

    def tick() -> None:
        with app.app_context():
            schedule.run_due([task])

    at_once(tick, tick, tick)
    tick()
    assert times == [1]


def test_a_task_that_failed_is_due_again(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    times: list[int] = []

    def stumble() -> None:
        times.append(1)
        raise RuntimeError("not today")

    with app.app_context():
        for _ in range(2):
            schedule.run_due([schedule.Task("stumble", timedelta(hours=1), stumble)])
    assert times == [1, 1]
    assert "stumble failed" in caplog.text


def test_history_has_months_ahead_and_an_alarm(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    with app.app_context():
        partitions.make_partitions()
        partitions.make_partitions()
        db.session.commit()
        months = db.session.scalars(
            text("SELECT relname FROM pg_class WHERE relname ~ '^activity_[0-9]{4}_[0-9]{2}$' ORDER BY 1")
        ).all()
        assert len(months) >= 4
        assert "outside its months" not in caplog.text
        db.session.add(Activity(id=1, verb="note.taken", subject_id=1))  # a moment after 2026 began
        db.session.commit()
        partitions.make_partitions()
        assert "1 rows of activity lie outside its months" in caplog.text
