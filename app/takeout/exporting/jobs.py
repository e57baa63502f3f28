"""Jobs that make exports and take them away."""

from __future__ import annotations

from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import State
from app.takeout.exporting import archive, making
from app.takeout.models import Export


def make_export(row: OutboxRow) -> State | None:
    """Write the next slice of an export. One that was taken away, or whose owner is gone, is not made."""
    found = select(Export, User).join(User, User.id == Export.user_id)
    asked = found.where(Export.id == row.subject_id, User.deleted_at.is_(None)).with_for_update(of=Export)
    found_both = db.session.execute(asked).one_or_none()
    if found_both is None:
        return None
    export, user = found_both
    return making.go_on(export, user, row.state, origin=row.details["origin"]) if export.is_running else None


def remove_export(row: OutboxRow) -> None:
    """Delete the files of an export that was taken away or replaced."""
    archive.remove(row.details["file"])
