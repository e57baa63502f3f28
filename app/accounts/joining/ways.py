"""Which way somebody comes in who has no account, as the site lets them now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from werkzeug.exceptions import Forbidden

from app.accounts.joining.operations import OVER, ask_to_join, sign_up_by_invite
from app.accounts.models import User
from app.accounts.operations import sign_up
from app.site import settings
from app.site.models import APPROVAL, CLOSED, INVITE
from app.site.settings import the_site

NO_SIGNUPS = "This site isn’t accepting new accounts right now."
BY_INVITE = "To join this site you need an invite: a link from someone who’s here."


class Joined(NamedTuple):
    """Who has come in, if they need not wait, and whom they follow from the start."""

    user: User | None
    follows: int | None = None


def way_in(code: str, *, is_invited: bool) -> str:
    """Return how a stranger gets in, or refuse them; what was just changed holds at once."""
    settings.forget()
    signups = the_site().signups
    if signups == CLOSED:
        raise Forbidden(NO_SIGNUPS)
    if is_invited:
        return INVITE
    if signups == INVITE:
        raise Forbidden(OVER if code else BY_INVITE)
    return signups


def join(way: str, account: Mapping[str, str], *, code: str, note: str) -> Joined:
    """Make an account, or ask for one, which makes none yet."""
    if way == APPROVAL:
        ask_to_join(**account, note=note)
        return Joined(None)
    if way != INVITE:
        return Joined(sign_up(**account))
    user, invite = sign_up_by_invite(code, **account)
    return Joined(user, invite.inviter_id if invite.follows else None)
