"""Outbox rows: which jobs there are, what follows from which verb, and how a row is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import current_app
from sqlalchemy import func, insert
from sqlalchemy.orm import Session

from app.core.after_commit import after_commit
from app.extensions import db
from app.outbox import queue
from app.outbox.models import OutboxRow

# The facts of an event, and the progress of a job.
Details = dict[str, Any]
State = dict[str, Any]
# A job takes its row and does a slice of it; it returns the state from which to go on, or None when it is done.
Job = Callable[[OutboxRow], State | None]
# The same for many rows at once, for a job of which many are open under load.
BatchJob = Callable[[Sequence[OutboxRow]], list[State | None]]
# Which server each of these subjects is asked of, for an errand: see `app/outbox/errands.py`.
Servers = Callable[[Sequence[int]], Mapping[int, str]]


class UnknownJob(Exception):
    """A row names a job that this version does not have: it was opened by a newer one, or a job was taken away."""


class Subscriptions:
    """Which jobs there are, by name, and which follow from which verb; filled once, from `app/subscribers.py`."""

    def __init__(
        self,
        jobs: Mapping[str, Job],
        by_verb: Mapping[str, Sequence[str]],
        batches: Mapping[str, BatchJob],
        errands: Mapping[str, Servers | None] | None = None,
    ) -> None:
        self.batches = batches
        self.errands = errands or {}  # jobs that wait for servers of other people
        self._jobs = jobs
        self._by_verb = by_verb

    def follow_from(self, verb: str) -> Sequence[str]:
        return self._by_verb.get(verb, ())

    def named(self, name: str) -> Job:
        if name not in self._jobs:
            raise UnknownJob(f"no job is called {name}")
        return self._jobs[name]


def subscriptions() -> Subscriptions:
    """Return the table of the running application."""
    table: Subscriptions = current_app.extensions["freshet.subscriptions"]
    return table


def open_row(name: str, subject_id: int, *, actor_id: int | None = None, details: Details | None = None) -> None:
    """Open an outbox row under a lease, and hand it to a worker once it is committed; an errand is due at once."""
    is_errand = name in subscriptions().errands
    values = {"job": name, "subject_id": subject_id, "actor_id": actor_id, "details": details or {}}
    lease_until = func.now() if is_errand else func.now() + queue.lease()
    row = insert(OutboxRow).values(values | {"lease_until": lease_until})
    row_id = db.session.execute(row.returning(OutboxRow.id)).scalar_one()
    if is_errand:
        return
    session: Session = db.session()
    in_batches = name in subscriptions().batches
    after_commit(session, lambda: queue.enqueue(row_id, in_batches=in_batches))
