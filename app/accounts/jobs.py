"""Jobs about accounts."""

from __future__ import annotations

from sqlalchemy import delete, select

from app.accounts import avatars
from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.activity.models import Activity
from app.core.statements import rows_changed
from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import State

SLICE = 1000


def purge_account(row: OutboxRow) -> State | None:
    """Delete what is left of a deleted account: its history, in slices, and then itself."""
    history = select(Activity.id).where(Activity.actor_id == row.subject_id).limit(SLICE)
    if rows_changed(delete(Activity).where(Activity.id.in_(history))):
        return row.state
    user = db.session.get(
        User, row.subject_id, with_for_update=True
    )  # an upload under way may still replace its avatar
    if user is None or user.deleted_at is None:
        return None
    if user.avatar:
        avatars.remove(user.avatar)
    db.session.execute(delete(User).where(User.id == row.subject_id))
    activity.record(verbs.ACCOUNT_PURGED, actor_id=None, subject_id=row.subject_id)
    return None


def remove_avatar(row: OutboxRow) -> None:
    """Delete the file of an avatar that was replaced."""
    avatars.remove(row.details["file"])
