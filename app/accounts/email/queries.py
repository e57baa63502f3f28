"""Find accounts by their addresses."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db

MAX_ACCOUNTS = 10  # in one e-mail


def accounts_at(email: str) -> Sequence[User]:
    """Return the accounts with an address: first those that confirmed it, which no number of others can push out."""
    theirs = select(User).where(User.email == email, User.deleted_at.is_(None))
    in_order = theirs.order_by(User.email_confirmed_at.is_(None), User.id)
    return db.session.scalars(in_order.limit(MAX_ACCOUNTS)).all()
