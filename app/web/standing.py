"""What those may do whom a moderator froze, suspended or warned: decided in one place, for every request.

Frozen: they read. Suspended: they read the decisions about them and answer these. Warned: they read the warning first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from flask import abort, current_app, request
from flask_login import current_user
from werkzeug.exceptions import Forbidden

from app import addresses
from app.web.htmx import go_to

View = TypeVar("View", bound=Callable[..., Any])
READING = {"GET", "HEAD", "OPTIONS"}
FILES = {"static", "favicon", "avatar", "site.icon", "site.colour"}  # which the page with the decisions needs, too
FROZEN = "Your account is frozen, so you can read but not do this."


class Standing(Protocol):
    """What is asked of whoever sent a request."""

    @property
    def is_frozen(self) -> bool: ...
    @property
    def is_suspended(self) -> bool: ...
    @property
    def must_acknowledge(self) -> bool: ...
    @property
    def notice_id(self) -> int | None: ...


def frozen_too(view: View) -> View:
    """Let a frozen account do what a view does: to keep itself safe, or to go."""
    view.admits_frozen = True  # type: ignore[attr-defined]
    return view


def suspended_too(view: View) -> View:
    """Let also a suspended account in, and one that has a warning to read."""
    view.admits_suspended = view.admits_frozen = True  # type: ignore[attr-defined]
    return view


def checks_standing(view: View) -> View:
    """Leave the check to a view that finds out by itself who asks, with everything else it needs."""
    view.checks_standing = True  # type: ignore[attr-defined]
    return view


def guard() -> None:
    """Stop a request that its sender may not make. It is asked of all requests but for the files of every page."""
    rule = request.url_rule
    if rule is None or rule.endpoint in FILES:
        return
    if (
        getattr(current_app.view_functions[rule.endpoint], "checks_standing", False)
        or not current_user.is_authenticated
    ):
        return
    check(current_user)


def check(reader: Standing) -> None:
    """Stop the request if this reader may not make it."""
    if not (reader.is_suspended or reader.must_acknowledge or reader.is_frozen):
        return
    view = current_app.view_functions[request.endpoint or ""]
    if not getattr(view, "admits_suspended", False):
        lead_away(reader)
    if reader.is_frozen and request.method not in READING and not getattr(view, "admits_frozen", False):
        raise Forbidden(FROZEN)


def confined_to(reader: Standing) -> str | None:
    """Return the one address that is open to somebody who may not read the site; None to everybody else."""
    if not (reader.is_suspended or reader.must_acknowledge):
        return None
    only = None if reader.is_suspended else reader.notice_id
    return addresses.decision(only) if only else addresses.decisions()


def lead_away(reader: Standing) -> None:
    """Stop the request of somebody who may not read the site; asked also before the guard, where posts are shown."""
    if there := confined_to(reader):
        abort(go_to(there))
