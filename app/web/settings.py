"""The menu of the settings: every page of it is declared beside its route, by the package that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import current_app, request, url_for

YOU, WHAT_YOU_SEE, ACCOUNT = GROUPS = ("You", "What you see", "Account")

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Section:
    """A page of the settings as the menu names it; `place` orders those of a group."""

    group: str
    place: int
    name: str
    hint: str


@dataclass(frozen=True)
class Entry:
    """A section with the address of its page, and whether that is the page being shown."""

    section: Section
    path: str
    is_current: bool


def settings_page(group: str, name: str, hint: str, *, place: int) -> Callable[[View], View]:
    """Put the page of a view into the menu of the settings."""
    section = Section(group, place, name, hint)

    def declare(view: View) -> View:
        view.settings_section = section  # type: ignore[attr-defined]
        return view

    return declare


def menu() -> list[tuple[str, list[Entry]]]:
    """Return the declared pages by group, in their order."""
    entries = sorted(_entries(), key=lambda entry: entry.section.place)
    return [(group, [entry for entry in entries if entry.section.group == group]) for group in GROUPS]


def _entries() -> Iterator[Entry]:
    for endpoint, view in current_app.view_functions.items():
        section: Section | None = getattr(view, "settings_section", None)
        if section is not None:
            path = url_for(endpoint)
            yield Entry(section, path, is_current=f"{request.path}/".startswith(f"{path}/"))
