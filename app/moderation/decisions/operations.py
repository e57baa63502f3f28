"""Note that people know what was decided about them."""

from __future__ import annotations

from app.accounts.models import User
from app.core import clock
from app.core.errors import NotAllowed
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.actions.operations import settle_notice


def note_told(action: ModerationAction, *, by: User) -> None:
    """Note that a person has read a decision about them: no page leads there by itself any more."""
    if action.person_id != by.id:
        raise NotAllowed("This decision is about someone else.")
    if action.told_at is None:
        action.told_at = clock.now()
        db.session.flush()
        settle_notice(by.id)
