"""What an admin must know to help somebody in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.accounts.factors.queries import has_factor
from app.accounts.models import User
from app.core import clock
from app.extensions import db
from app.mail.models import RESET, MailLink


@dataclass(frozen=True)
class Access:
    """How a person gets into their account."""

    person: User
    has_factor: bool
    open_links: Sequence[MailLink]  # for a new password


def access_of(person: User) -> Access:
    """Return how a person gets in, and which links they could use for it."""
    is_open = (MailLink.used_at.is_(None), MailLink.expires_at > clock.now())
    theirs = select(MailLink).where(MailLink.user_id == person.id, MailLink.purpose == RESET, *is_open)
    links = db.session.scalars(theirs.order_by(MailLink.id.desc())).all()
    return Access(person, has_factor(person.id), links)
