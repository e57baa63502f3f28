"""What a passkey is to sign: a random number for one purpose, one browser, a few minutes and one use."""

from __future__ import annotations

import secrets
from datetime import timedelta

from flask import session as cookie
from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert as upsert

from app.accounts.passkeys.models import UsedChallenge
from app.accounts.sessions import digest_of
from app.core import clock
from app.core.statements import rows_changed
from app.extensions import db

ADD, LOG_IN, CODE, PROOF = PURPOSES = ("add", "log_in", "code", "proof")
LASTS = timedelta(minutes=10)
KEY = "passkey"


def new_challenge(purpose: str) -> bytes:
    """Return a number to be signed, and note in the cookie that this browser is asked for it."""
    number = secrets.token_hex(32)
    cookie[KEY] = f"{purpose} {int(clock.now().timestamp())} {number}"
    return bytes.fromhex(number)


def take_challenge(purpose: str) -> bytes | None:
    """Return what this browser was asked to sign, if that was lately and for this; it is used up with the answer.

    Taking it out of the cookie is not enough, since a cookie can be sent again.
    """
    asked_for, at, number = (cookie.pop(KEY, None) or "- 0 -").split(" ")
    if asked_for != purpose or clock.now().timestamp() - int(at) > LASTS.total_seconds():
        return None
    once = upsert(UsedChallenge).values(digest=digest_of(number)).on_conflict_do_nothing()
    return bytes.fromhex(number) if rows_changed(once) else None


def forget_used() -> None:
    """Delete the rows of what would be too old by now in any case."""
    db.session.execute(delete(UsedChallenge).where(UsedChallenge.used_at < clock.now() - 2 * LASTS))
