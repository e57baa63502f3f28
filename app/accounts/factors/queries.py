"""What second factors somebody has."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, select

from app.accounts.factors.models import AuthenticatorApp, RecoveryCode
from app.accounts.passkeys.models import Passkey
from app.extensions import db


class Ways(NamedTuple):
    """By what somebody shows who they are, besides their password."""

    app: bool
    passkeys: bool


def ways_of(user_id: int) -> Ways:
    """Return which second factors an account has."""
    app = select(AuthenticatorApp.user_id).where(AuthenticatorApp.user_id == user_id)
    passkeys = select(Passkey.id).where(Passkey.user_id == user_id)
    row = db.session.execute(select(app.exists().label("app"), passkeys.exists().label("passkeys"))).one()
    return Ways(**row._mapping)


def has_factor(user_id: int) -> bool:
    """Say whether an account asks for a second factor."""
    return any(ways_of(user_id))


def app_of(user_id: int) -> AuthenticatorApp | None:
    """Return the app that shows somebody's codes."""
    return db.session.get(AuthenticatorApp, user_id)


def codes_left(user_id: int) -> int:
    """Return how many recovery codes somebody has not used yet."""
    return db.session.scalar(select(func.count()).where(RecoveryCode.user_id == user_id)) or 0
