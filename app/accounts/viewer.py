"""Who is looking: for routes, which hand it on as `viewer=` or `by=`."""

from __future__ import annotations

from flask import g, session
from flask_login import current_user

from app.accounts.models import User
from app.accounts.reader import SessionReader


def session_token() -> str | None:
    """Return the token of the session that the request came with."""
    token: str | None = session.get("_user_id")
    return token


def log_in_for_reading(reader: SessionReader) -> None:
    """Let Flask-Login know who reads, so that it does not ask once more."""
    g._login_user = reader


def current_viewer() -> User | None:
    """Return the person who is logged in, if anybody is."""
    user: User = current_user._get_current_object()
    return user if user.is_authenticated else None


def viewer_id() -> int | None:
    """Return the id of the person who is logged in, if anybody is."""
    viewer = current_viewer()
    return viewer.id if viewer else None
