"""Do the open work, as a worker would, in the test's own process."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.running import run_row

MAX_RUNS = 10_000


def open_rows(app: Flask) -> list[OutboxRow]:
    """Return the rows whose work is not done yet, the oldest first."""
    with app.app_context():
        return list(db.session.scalars(select(OutboxRow).order_by(OutboxRow.id)))


def open_jobs(app: Flask) -> list[str]:
    """Return the names of the jobs that are still open, the oldest first."""
    return [row.job for row in open_rows(app)]


def drain(app: Flask) -> int:
    """Run all rows until none is left, those that they open in turn included; return how many runs it took.

    Each run has an app context of its own, like a job in a worker. A job that fails fails the test.
    """
    runs = 0
    while rows := open_rows(app):
        for row in rows:
            assert row.attempts == 0, f"{row.job} failed: {row.last_error}"
            with app.app_context():
                run_row(row.id)
            runs += 1
        assert runs < MAX_RUNS, f"still open after {runs} runs: {[row.job for row in rows]}"
    return runs
