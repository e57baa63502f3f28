"""Read the appeals that wait for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager

from app.accounts.models import User
from app.core.paging import PAGE_SIZE
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction

# Whoever deleted their account meanwhile waits for nothing.
WAITS = (Appeal.decided_at.is_(None), User.deleted_at.is_(None))


def waiting_appeals() -> Sequence[Appeal]:
    """Return the appeals without an answer, the oldest first, up to a page of them."""
    with_people = contains_eager(Appeal.action).contains_eager(ModerationAction.person)
    waiting = select(Appeal).join(Appeal.action).join(ModerationAction.person).options(with_people).where(*WAITS)
    return db.session.scalars(waiting.order_by(Appeal.id).limit(PAGE_SIZE)).all()


def number_waiting() -> int:
    """Return how many wait."""
    waiting = select(func.count(Appeal.id)).join(Appeal.action).join(ModerationAction.person)
    return db.session.scalar(waiting.where(*WAITS)) or 0
