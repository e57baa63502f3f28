"""Take up or give up jobs that have failed, on the record."""

from __future__ import annotations

from functools import partial

from sqlalchemy import delete, func, select, update

from app.accounts.models import User
from app.core.after_commit import after_commit
from app.core.statements import rows_changed
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import Values, enter
from app.outbox import queue
from app.outbox.models import OutboxRow


def retry(row_id: int, *, by: User) -> bool:
    """Have a job done now instead of later; say whether it was still waiting."""
    row = _locked(row_id)
    if row is None:
        return False
    rows_changed(update(OutboxRow).where(OutboxRow.id == row_id).values(lease_until=func.now() + queue.lease()))
    _enter(actions.JOB_RETRIED, row, by=by)
    after_commit(db.session(), partial(queue.enqueue, row_id))
    return True


def drop(row_id: int, *, by: User) -> str | None:
    """Never do a job; return its name if it was still waiting."""
    row = _locked(row_id)
    if row is None:
        return None
    rows_changed(delete(OutboxRow).where(OutboxRow.id == row_id))
    _enter(actions.JOB_DROPPED, row, by=by)
    return row.job


def _locked(row_id: int) -> OutboxRow | None:
    """Return a job that has failed and that no worker is doing at this moment."""
    failed = select(OutboxRow).where(OutboxRow.id == row_id, OutboxRow.attempts > 0)
    return db.session.scalars(failed.with_for_update(skip_locked=True)).one_or_none()


def _enter(action: str, row: OutboxRow, *, by: User) -> None:
    before: Values = {"job": row.job, "subject": row.subject_id, "attempts": row.attempts, "error": row.last_error}
    enter(action, None, by=by, reason="", before=before, after={})
