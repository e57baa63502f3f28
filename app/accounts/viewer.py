"""Who is looking: for routes, which hand it on as `viewer=` or `by=`."""

from __future__ import annotations

from typing import Protocol

from flask_login import current_user

from app.accounts.models import User


class Reader(Protocol):
    """What pages need to know of the person who reads them; a `User` is one, too."""

    @property
    def id(self) -> int: ...
    @property
    def repeat_hours(self) -> int: ...
    @property
    def hides_own_reposts(self) -> bool: ...


def current_viewer() -> User | None:
    """Return the person who is logged in, if anybody is."""
    user: User = current_user._get_current_object()
    return user if user.is_authenticated else None


def viewer_id() -> int | None:
    """Return the id of the person who is logged in, if anybody is."""
    viewer = current_viewer()
    return viewer.id if viewer else None
