"""What second factors somebody has."""

from __future__ import annotations

from sqlalchemy import func, select

from app.accounts.factors.models import AuthenticatorApp, RecoveryCode
from app.extensions import db


def has_factor(user_id: int) -> bool:
    """Say whether an account asks for a second factor."""
    return db.session.scalar(select(AuthenticatorApp.user_id).where(AuthenticatorApp.user_id == user_id)) is not None


def app_of(user_id: int) -> AuthenticatorApp | None:
    """Return the app that shows somebody's codes."""
    return db.session.get(AuthenticatorApp, user_id)


def codes_left(user_id: int) -> int:
    """Return how many recovery codes somebody has not used yet."""
    return db.session.scalar(select(func.count()).where(RecoveryCode.user_id == user_id)) or 0
