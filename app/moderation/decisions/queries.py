"""Read what was decided about a person, as that person may."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from app.accounts.models import User
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.actions.queries import actions_on


def decisions_about(viewer: User) -> Sequence[ModerationAction]:
    """Return the decisions about a viewer and their posts, the newest first."""
    return actions_on(viewer.id)


def decision_about(viewer: User, action_id: int) -> ModerationAction | None:
    """Return one of them, with the appeal."""
    about = (ModerationAction.id == action_id, ModerationAction.person_id == viewer.id)
    found = select(ModerationAction).where(*about).options(selectinload(ModerationAction.appeal))
    return db.session.scalars(found).one_or_none()
