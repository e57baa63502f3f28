"""What an export shows of itself: one page of HTML that needs nothing but the images beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from flask import current_app
from markupsafe import Markup, escape

from app import addresses
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.core import clock
from app.core.text import to_html
from app.site.settings import the_site
from app.takeout.exporting.sections import SECTIONS, Item, Section

FOLDER = "takeout/archive"
_SETTINGS = (
    "email",
    "is_private",
    "repeat_hours",
    "hides_own_reposts",
    "descriptions",
    "groups_conversations",
    "starts_at_top",
    "time_zone",
)


def profile_of(user: User, origin: str) -> Item:
    """Return what others see of a person."""
    return {
        "handle": user.handle,
        "name": user.name,
        "bio": user.bio,
        "url": origin + addresses.profile(user.handle),
        "picture": "images/profile.webp" if user.avatar else None,
        "joined_at": user.created_at,
    }


def settings_of(user: User) -> Item:
    """Return what a person chose; what is theirs in lists has files of its own."""
    return {name: getattr(user, name) for name in _SETTINGS}


def top(user: User, origin: str, numbers: Mapping[str, int]) -> str:
    """Return the beginning of the page."""
    return _render("top.html", user=user, origin=origin, numbers=numbers, sections=SECTIONS, now=clock.now())


def section_top(section: Section, number: int) -> str:
    return _render("section_top.html", section=section, number=number)


def items(name: str, found: Sequence[Item], *, user: User, origin: str) -> str:
    """Return a slice of a section."""
    return _render("items.html", name=name, items=found, user=user, linked=partial(_linked, origin=origin))


def section_end(section: Section, number: int) -> str:
    return _render("section_end.html", section=section, number=number)


def end(user: User, origin: str) -> str:
    """Return the end of the page, with what was chosen."""
    return _render("end.html", user=user, settings=settings_of(user), origin=origin)


def _render(template: str, *, user: User | None = None, **context: Any) -> str:
    """Render without what pages of the site know of a request: there is none."""
    context.update(user=user, zone=zone_of(user), site_name=the_site().name)
    return current_app.jinja_env.get_template(f"{FOLDER}/{template}").render(context)


def _linked(text: str, post: Item, *, origin: str) -> Markup:
    """Return a text with its links; those within the site lead there from wherever the page is."""
    html = to_html(text, frozenset(handle.lower() for handle in post["mentions"]))
    return Markup(html.replace('href="/', f'href="{escape(origin)}/'))  # noqa: S704  # quotes in a text are escaped
