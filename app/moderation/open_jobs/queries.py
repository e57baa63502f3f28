"""Jobs that have failed at least once, and wait for the next time."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.extensions import db
from app.outbox.models import OutboxRow


def failed_jobs(before: int | None) -> tuple[Sequence[OutboxRow], int | None]:
    """Return a page of them, the newest first."""
    failed = select(OutboxRow).where(OutboxRow.attempts > 0, OutboxRow.id < (before or MAX_ID))
    rows = db.session.scalars(failed.order_by(OutboxRow.id.desc()).limit(PAGE_SIZE + 1)).all()
    return cut(rows, key=lambda row: row.id)
