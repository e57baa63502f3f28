"""Who may see what lies below /admin, in one place, and the menu of it: pages are declared beside their routes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import current_app, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import Forbidden

from app import addresses

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Section:
    """A page for those who run the site, as the menu names it."""

    place: int
    name: str
    hint: str
    waiting: Callable[[Any], int] | None = None  # how many things wait there for a viewer


@dataclass(frozen=True)
class Entry:
    """A section with the address of its page."""

    section: Section
    path: str


def admin_page(
    name: str, hint: str, *, place: int, waiting: Callable[[Any], int] | None = None
) -> Callable[[View], View]:
    """Put the page of a view into the menu of those who may see it, with the number of things that wait there."""

    def declare(view: View) -> View:
        view.admin_section = Section(place, name, hint, waiting)  # type: ignore[attr-defined]
        return view

    return declare


def moderators_too(view: View) -> View:
    """Admit moderators to a view below /admin; whatever does not say so is for admins alone."""
    view.admits_moderators = True  # type: ignore[attr-defined]
    return view


def guard() -> ResponseReturnValue | None:
    """Let nobody below /admin but those whom the view admits. It is asked of every request, by its address."""
    rule = request.url_rule
    if rule is None or not is_below_admin(rule.rule):
        return None
    if not current_user.is_authenticated:
        return current_app.login_manager.unauthorized()  # type: ignore[attr-defined, no-any-return]
    if not _admits(current_app.view_functions[rule.endpoint]):
        raise Forbidden("This page is for the people who run this site.")
    return None


def menu() -> list[Entry]:
    """Return the declared pages that the viewer may see, in their order."""
    return sorted(_entries(), key=lambda entry: entry.section.place)


def _entries() -> Iterator[Entry]:
    for endpoint, view in current_app.view_functions.items():
        section: Section | None = getattr(view, "admin_section", None)
        if section is not None and _admits(view):
            yield Entry(section, url_for(endpoint))


def _admits(view: Callable[..., Any]) -> bool:
    return bool(current_user.is_admin or (current_user.is_staff and getattr(view, "admits_moderators", False)))


def is_below_admin(path: str) -> bool:
    """Say whether an address is for those who run the site."""
    return path == addresses.admin() or path.startswith(f"{addresses.admin()}/")
