"""Help people back into their accounts. Each help is on record."""

from __future__ import annotations

from app.accounts.factors.operations import switch_off_all
from app.accounts.models import User
from app.core.errors import NotAllowed, Refused
from app.extensions import db
from app.mail import links
from app.mail.models import RESET, MailLink
from app.moderation.log import actions
from app.moderation.log.operations import enter


class NoHelp(Refused):
    """What cannot be done for somebody."""

    field = "reason"


def make_reset_link(person: User, *, by: User, reason: str) -> MailLink:
    """Make a link by which a person chooses a new password, for an admin to hand on."""
    _check(by)
    link = links.make_link(person.id, RESET, person.email)
    if link is None:
        raise NoHelp("Enough links have been made for this address. Wait half an hour.")
    enter(actions.RESET_LINK_MADE, person, by=by, reason=reason, before={}, after={})
    return link


def remove_factor(person: User, *, by: User, reason: str) -> None:
    """Switch off the second factor of a person who has lost it."""
    _check(by)
    if switch_off_all(person):
        enter(actions.FACTOR_REMOVED, person, by=by, reason=reason, before={}, after={})


def _check(by: User) -> None:
    db.session.refresh(by, ["role", "deleted_at"])
    if not by.is_admin or by.deleted_at is not None:
        raise NotAllowed("You’re not an admin any more.")
