"""Errands wait for servers of other people: in threads of the scheduler, behind which no other job waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

import worker
from app.extensions import db, redis
from app.outbox import errands
from app.outbox.models import OutboxRow
from app.outbox.queue import queue_on
from app.outbox.rows import Subscriptions, open_row
from app.outbox.sweeper import sweep
from tests.activity.workers import eventually, nothing_open
from tests.outbox import open_rows
from tests.threads import at_once

ran: list[int] = []
began, gate = threading.Event(), threading.Event()


def ask(row: OutboxRow) -> None:
    """An errand to a server that answers when the test lets it."""
    if row.details.get("slow"):
        began.set()
        assert gate.wait(60)
    ran.append(row.subject_id)


def fail(row: OutboxRow) -> None:
    raise RuntimeError("not today")


def count(row: OutboxRow) -> None:
    ran.append(row.subject_id)


def servers(subjects: Sequence[int]) -> dict[int, str]:
    return {subject: f"{subject % 10}.example" for subject in subjects}


@pytest.fixture(autouse=True)
def own_jobs(app: Flask) -> Iterator[None]:
    real = app.extensions["freshet.subscriptions"]
    jobs: dict[str, Any] = {"test.ask": ask, "test.own": ask, "test.fail": fail, "test.count": count}
    errands_of = {"test.ask": servers, "test.fail": servers, "test.own": None}
    app.extensions["freshet.subscriptions"] = Subscriptions(jobs, {}, {}, errands_of)
    ran.clear()
    began.clear()
    gate.clear()
    errands._slow.clear()
    yield
    gate.set()
    app.extensions["freshet.subscriptions"] = real


def start(app: Flask, name: str, *subjects: int, author: int | None = None, **details: object) -> None:
    """Open errands, by default each of an author of its own; with the last digit of its subject goes its server."""
    with app.app_context():
        for subject in subjects:
            open_row(name, subject, actor_id=author or subject, details=details)
        db.session.commit()


def run_next(app: Flask, **how: bool) -> bool:
    with app.app_context():
        return errands.run_next(**how)


def test_errands_are_due_at_once_in_their_order(app: Flask) -> None:
    start(app, "test.ask", 1, 2)
    assert [run_next(app) for _ in range(3)] == [True, True, False]
    assert ran == [1, 2] and open_rows(app) == []


def test_no_worker_is_told_of_an_errand_and_no_errand_takes_other_work(app: Flask) -> None:
    start(app, "test.ask", 1)
    with app.app_context(), redis.client() as client:
        assert queue_on(client).count == 0
        assert sweep() == 0
    start(app, "test.count", 2)
    assert [run_next(app) for _ in range(2)] == [True, False]
    assert ran == [1] and [row.job for row in open_rows(app)] == ["test.count"]


def test_an_errand_that_fails_is_put_off_and_keeps_none_waiting(app: Flask) -> None:
    start(app, "test.fail", 1)
    start(app, "test.ask", 2)
    assert [run_next(app) for _ in range(3)] == [True, True, False]
    assert ran == [2]
    [row] = open_rows(app)
    assert row.attempts == 1 and "not today" in (row.last_error or "")
    with app.app_context():
        db.session.execute(update(OutboxRow).values(lease_until=func.now() - timedelta(seconds=1)))
        db.session.commit()
    assert run_next(app)


def test_each_errand_is_run_by_one(app: Flask) -> None:
    start(app, "test.ask", 1, 2, 3, 4)
    assert at_once(*[lambda: run_next(app)] * 4) == [True] * 4
    assert sorted(ran) == [1, 2, 3, 4]


def test_a_slow_server_keeps_one_thread_and_nothing_else(app: Flask) -> None:
    stop = threading.Event()
    start(app, "test.ask", 1, slow=True)
    start(app, "test.ask", 2, 3)
    threads = [threading.Thread(target=worker.run_errands, args=(app, stop)) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        eventually(app, lambda: sorted(ran) == [2, 3])
        with app.app_context():
            assert db.session.scalar(select(func.count()).select_from(OutboxRow)) == 1
        gate.set()
        eventually(app, nothing_open)
        assert sorted(ran) == [1, 2, 3]
    finally:
        stop.set()
        gate.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("others", [{"author": 1}, {"subject": 11}], ids=["author", "server"])
def test_of_an_author_and_of_a_server_one_errand_is_done_at_a_time(app: Flask, others: dict[str, int]) -> None:
    start(app, "test.ask", 1, author=1, slow=True)
    start(app, "test.ask", others.get("subject", 2), author=others.get("author", 2))
    start(app, "test.ask", 3)
    first = threading.Thread(target=run_next, args=[app])
    first.start()
    try:
        assert began.wait(60)
        assert [run_next(app) for _ in range(2)] == [True, False]
        assert ran == [3]
    finally:
        gate.set()
        first.join()
    assert [run_next(app) for _ in range(2)] == [True, False]
    assert ran == [3, 1, others.get("subject", 2)]


@pytest.mark.parametrize("subject", [12, 21], ids=["author", "server"])
def test_who_kept_us_waiting_comes_last(app: Flask, monkeypatch: pytest.MonkeyPatch, subject: int) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(errands, "SLOW_SECONDS", 0.0)
        start(app, "test.ask", 11, author=1)
        run_next(app)
    start(app, "test.ask", subject, author=subject // 10)
    start(app, "test.ask", 33)
    assert [run_next(app, slow_ones_too=False) for _ in range(2)] == [True, False]
    assert ran == [11, 33]
    assert run_next(app) and ran == [11, 33, subject]
    for was_slow in (True, False):  # until both have been quick
        start(app, "test.ask", 11, author=1)
        assert run_next(app, slow_ones_too=False) is not was_slow
        assert run_next(app) is was_slow


def test_errands_to_a_server_of_our_own_wait_for_no_turn(app: Flask) -> None:
    start(app, "test.own", 1, author=1, slow=True)
    start(app, "test.own", 11, author=1)
    first = threading.Thread(target=run_next, args=[app])
    first.start()
    try:
        assert began.wait(60)
        assert run_next(app, slow_ones_too=False) and ran == [11]
    finally:
        gate.set()
        first.join()
