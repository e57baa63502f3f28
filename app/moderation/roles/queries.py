"""Who runs the site."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.accounts.models import STAFF, User
from app.extensions import db


def staff() -> Sequence[User]:
    """Return the admins, then the moderators."""
    theirs = select(User).where(User.role.in_(STAFF), User.deleted_at.is_(None))
    return db.session.scalars(theirs.order_by(User.role, User.id)).all()
