"""Do the work of outbox rows: each row by one worker at a time, each finished in the transaction that deletes it."""

from __future__ import annotations

import logging
from datetime import timedelta

from sqlalchemy import delete, func, select, update

from app.activity import queue
from app.activity.models import OutboxRow
from app.activity.operations import subscriptions
from app.core.after_commit import after_commit
from app.extensions import db

log = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(hours=1)


def run_row(row_id: int) -> None:
    """Do one slice of a row's job. A row that is gone is done; one that is locked is being done by our twin."""
    locked = select(OutboxRow).where(OutboxRow.id == row_id).with_for_update(skip_locked=True)
    row = db.session.scalars(locked).one_or_none()
    if row is None:
        db.session.rollback()
        return
    name, attempts = row.job, row.attempts
    try:
        _do_slice(row)
        db.session.commit()
    except Exception as error:
        db.session.rollback()
        log.exception("job %s of outbox row %s failed, attempt %s", name, row_id, attempts + 1)
        _put_off(row_id, attempts, error)


def _do_slice(row: OutboxRow) -> None:
    """Call the job; what it did and where it stands commit together."""
    state = subscriptions().named(row.job)(row.subject_id, row.state)
    this_row = OutboxRow.id == row.id
    if state is None:
        db.session.execute(delete(OutboxRow).where(this_row))
        return
    db.session.execute(update(OutboxRow).where(this_row).values(state=state, lease_until=func.now() + queue.lease()))
    row_id = row.id
    after_commit(db.session(), lambda: queue.enqueue(row_id))  # behind the others: nobody waits for a long job


def _put_off(row_id: int, attempts: int, error: Exception) -> None:
    wait = min(queue.lease() * 2 ** min(attempts, 20), LONGEST_WAIT)
    put_off = update(OutboxRow).where(OutboxRow.id == row_id)
    db.session.execute(
        put_off.values(attempts=attempts + 1, last_error=repr(error)[:500], lease_until=func.now() + wait)
    )
    db.session.commit()


def sweep() -> int:
    """Offer rows whose lease is over to the workers again; return how many."""
    due = (
        select(OutboxRow.id)
        .where(OutboxRow.lease_until < func.now())
        .order_by(OutboxRow.lease_until)
        .limit(500)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    taken = update(OutboxRow).where(OutboxRow.id.in_(select(due.c.id))).values(lease_until=func.now() + queue.lease())
    row_ids = db.session.scalars(taken.returning(OutboxRow.id)).all()
    db.session.commit()
    for row_id in row_ids:
        queue.enqueue(row_id)
    return len(row_ids)
