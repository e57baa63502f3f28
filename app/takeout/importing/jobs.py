"""The job that goes through a list of people."""

from __future__ import annotations

from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import State
from app.takeout.importing.working import work_through
from app.takeout.models import Import


def bring_in(row: OutboxRow) -> State | None:
    """Do a slice of a list. Nothing is done where it, or its owner, is gone."""
    found = select(Import, User).join(User, User.id == Import.user_id)
    wanted = found.where(Import.id == row.subject_id, User.deleted_at.is_(None)).with_for_update(of=Import)
    both = db.session.execute(wanted).one_or_none()
    if both is None or not both[0].is_running:
        return None
    if both[1].is_frozen or both[1].is_suspended:  # they could not do it by hand
        db.session.delete(both[0])
        return None
    is_done = work_through(both[0], by=both[1])
    return None if is_done else {"done": both[0].done}
