"""Do the rows whose jobs wait for servers of other people: beside the workers, which no slow server may stop.

They go over no queue: whoever runs errands takes the next row that is due.
"""

from __future__ import annotations

from sqlalchemy import func, select

from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import subscriptions
from app.outbox.running import run_row


def run_next() -> bool:
    """Do the errand that is due longest; say whether there was one. One that fails is put off."""
    due = select(OutboxRow.id).where(OutboxRow.job.in_(subscriptions().errands), OutboxRow.lease_until <= func.now())
    first = due.order_by(OutboxRow.lease_until, OutboxRow.id).limit(1).with_for_update(skip_locked=True)
    row_id = db.session.scalar(first)
    if row_id is None:
        db.session.commit()
        return False
    run_row(row_id)  # in the same transaction, which has locked it
    return True
