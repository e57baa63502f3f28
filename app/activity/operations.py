"""Record what happened, together with the jobs that follow from it, in the transaction in which it happens."""

from __future__ import annotations

from sqlalchemy import insert

from app.activity.models import Activity
from app.extensions import db
from app.outbox.rows import Details, open_row, subscriptions


def record(verb: str, *, actor_id: int | None, subject_id: int, details: Details | None = None) -> None:
    """Write down that something happened and open one outbox row for each job that follows from it."""
    values = {"verb": verb, "actor_id": actor_id, "subject_id": subject_id, "details": details or {}}
    db.session.execute(insert(Activity).values(values))
    for name in subscriptions().follow_from(verb):
        open_row(name, subject_id, actor_id=actor_id, details=details)
