"""Who must have a second factor."""

from __future__ import annotations

from flask import current_app

from app.accounts.models import User


def is_needed(user: User) -> bool:
    """Say whether a person's role needs a second factor on this site."""
    return bool(current_app.config["REQUIRE_STAFF_FACTOR"] and user.is_staff)
