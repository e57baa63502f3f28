"""Offer open rows whose lease is over to the workers again: the only retry."""

from __future__ import annotations

import logging

from sqlalchemy import func, select, update

from app.extensions import db
from app.outbox import queue
from app.outbox.models import OutboxRow
from app.outbox.rows import subscriptions

log = logging.getLogger(__name__)


def sweep() -> int:
    """Offer rows whose lease is over to the workers again; return how many."""
    due = (
        select(OutboxRow.id)
        .where(OutboxRow.lease_until < func.now(), OutboxRow.job.not_in(subscriptions().errands))
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
