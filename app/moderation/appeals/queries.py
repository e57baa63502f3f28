"""Read the appeals that wait for an answer."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import joinedload

from app.core.paging import PAGE_SIZE
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction


def waiting_appeals() -> Sequence[Appeal]:
    """Return the appeals without an answer, the oldest first, up to a page of them."""
    waiting = select(Appeal).where(Appeal.decided_at.is_(None)).order_by(Appeal.id).limit(PAGE_SIZE)
    with_people = joinedload(Appeal.action).joinedload(ModerationAction.person)
    return db.session.scalars(waiting.options(with_people)).all()


def number_waiting() -> int:
    """Return how many wait."""
    return db.session.scalar(select(func.count()).select_from(Appeal).where(Appeal.decided_at.is_(None))) or 0
