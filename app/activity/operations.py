"""Record what happened, together with the jobs that follow from it, in the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import current_app
from sqlalchemy import func, insert
from sqlalchemy.orm import Session

from app.activity import queue
from app.activity.models import Activity, OutboxRow
from app.core.after_commit import after_commit
from app.extensions import db

State = dict[str, Any]
# A job takes its row and does a slice of it; it returns the state from which to go on, or None when it is done.
Job = Callable[[OutboxRow], State | None]
# The same for many rows at once, for a job of which many are open under load.
BatchJob = Callable[[Sequence[OutboxRow]], list[State | None]]


def job_name(job: Job) -> str:
    """Return the name under which a job stands in the outbox: package and function."""
    return f"{job.__module__.split('.')[1]}.{job.__name__}"


class Subscriptions:
    """Which jobs follow from which verb; filled once, from `app/subscribers.py`."""

    def __init__(self, table: Mapping[str, Sequence[Job]], batches: Mapping[Job, BatchJob] | None = None) -> None:
        self.batches = {job_name(job): batch for job, batch in (batches or {}).items()}
        self._by_verb = {verb: [job_name(job) for job in jobs] for verb, jobs in table.items()}
        self._by_name = {job_name(job): job for jobs in table.values() for job in jobs}

    def follow_from(self, verb: str) -> list[str]:
        return self._by_verb.get(verb, [])

    def named(self, name: str) -> Job:
        return self._by_name[name]


def subscriptions() -> Subscriptions:
    """Return the table of the running application."""
    table: Subscriptions = current_app.extensions["freshet.subscriptions"]
    return table


def record(verb: str, *, actor_id: int | None, subject_id: int, details: State | None = None) -> None:
    """Write down that something happened and open one outbox row for each job that follows from it."""
    values = {"verb": verb, "actor_id": actor_id, "subject_id": subject_id, "details": details or {}}
    db.session.execute(insert(Activity).values(values))
    for name in subscriptions().follow_from(verb):
        open_row(name, subject_id, actor_id=actor_id, state=details or {})


def open_row(name: str, subject_id: int, *, actor_id: int | None = None, state: State | None = None) -> None:
    """Open an outbox row under a lease, and hand it to a worker once it is committed."""
    values = {"job": name, "subject_id": subject_id, "actor_id": actor_id, "state": state or {}}
    row = insert(OutboxRow).values(values | {"lease_until": func.now() + queue.lease()})
    row_id = db.session.execute(row.returning(OutboxRow.id)).scalar_one()
    session: Session = db.session()
    in_batches = name in subscriptions().batches
    after_commit(session, lambda: queue.enqueue(row_id, in_batches=in_batches))
