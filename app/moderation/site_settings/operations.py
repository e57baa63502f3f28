"""Change the settings of the site, on the record."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.accounts.operations import LONGEST_EMAIL
from app.core.after_commit import after_commit
from app.core.errors import Refused, SeveralRefused
from app.core.text import clean, clean_line, is_blank, too_long_by
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter
from app.outbox.schedule import make_due
from app.site import colours, settings
from app.site.markup import MAX_TEXT
from app.site.models import AUDIENCES, INVITERS, MAX_POST_CHARS, SIGNUPS, SiteSettings
from app.site.settings import Stored

MAX_NAME, MAX_DESCRIPTION, MAX_CONTACT = 40, 200, LONGEST_EMAIL
MAX_LINKS, MAX_LINK_WORDS, MAX_ADDRESS = 8, 40, 300
MAX_FOLLOWERS = 1_000_000_000
MODES = "choose pushed and pulled authors"  # the task that asks for the threshold


class BadField(Refused):
    """Something that a setting cannot be."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field  # type: ignore[misc]


class ChangedMeanwhile(Refused):
    """Another admin has saved since the page was shown."""

    field: ClassVar[str] = "version"
    code: ClassVar[int] = 409


def change_site(typed: Mapping[str, str], *, icon: str | None, version: int, by: User) -> list[str]:
    """Save what was typed, and return the names of what it changed. An empty field leaves it to the server."""
    new = checked(typed) | {"icon": icon}
    db.session.execute(insert(SiteSettings).on_conflict_do_nothing())
    row = db.session.scalars(select(SiteSettings).with_for_update()).one()
    if row.version != version:
        raise ChangedMeanwhile(
            "Another admin has just changed the settings. Reload to see them, then make your change."
        )
    before = {name: getattr(row, name) for name in new if getattr(row, name) != new[name]}
    if not before:
        return []
    for name in before:
        setattr(row, name, new[name])
    row.version, row.changed_at = version + 1, func.now()
    after = {name: _on_record(new[name]) for name in before}
    was = {name: _on_record(value) for name, value in before.items()}
    enter(actions.SITE_CHANGED, None, by=by, reason="", before=was, after=after)
    if "celebrity_followers" in before:
        make_due(MODES)
    after_commit(db.session(), settings.forget)
    return list(before)


def checked(typed: Mapping[str, str]) -> dict[str, Any]:
    """Return what was typed as it is stored, or say of every field what is wrong with it."""
    found, refusals = dict[str, Any](), list[Refused]()
    for name, check in CHECKS.items():
        try:
            found[name] = check(typed.get(name, ""))
        except Refused as refusal:
            refusals.append(refusal)
    if refusals:
        raise SeveralRefused(refusals)
    return found


def spelled_links(stored: Stored) -> str:
    """Return the links of the footer as they are typed: each in a line, its words and then its address."""
    return "\n".join(f"{words} {address}" for words, address in stored.links)


def _on_record(value: Any) -> str | int | bool | None:
    return "\n".join(" ".join(link) for link in value) if isinstance(value, list) else value


def _line(field: str, longest: int) -> Callable[[str], str]:
    def check(typed: str) -> str:
        text = clean_line(typed)
        if too_long_by(text, longest):
            raise BadField(field, f"Use {longest} characters or fewer.")
        return "" if is_blank(text) else text

    return check


def _text(field: str) -> Callable[[str], str]:
    def check(typed: str) -> str:
        text = clean(typed)
        if too_long_by(text, MAX_TEXT):
            raise BadField(field, f"Use {MAX_TEXT:,} characters or fewer.")
        return "" if is_blank(text) else text

    return check


def _number(field: str, least: int, most: int) -> Callable[[str], int | None]:
    def check(typed: str) -> int | None:
        digits = typed.strip()
        if not digits:
            return None
        if not re.fullmatch(r"[0-9]{1,12}", digits, flags=re.ASCII) or not least <= int(digits) <= most:
            raise BadField(field, f"Enter a whole number from {least:,} to {most:,}.")
        return int(digits)

    return check


def _choice(field: str, among: tuple[str, ...], *, may_be_empty: bool = False) -> Callable[[str], str | None]:
    def check(typed: str) -> str | None:
        if not typed and may_be_empty:
            return None
        if typed not in among:
            raise BadField(field, "Choose one of these.")
        return typed

    return check


def _name(typed: str) -> str | None:
    return _line("name", MAX_NAME)(typed) or None


def _colour(typed: str) -> str | None:
    return colours.checked(typed) if typed.strip() else None


def _links(typed: str) -> list[list[str]]:
    lines = [line for line in clean(typed).splitlines() if line.strip()]
    if len(lines) > MAX_LINKS:
        raise BadField("links", f"Use {MAX_LINKS} links or fewer.")
    return [_link(line) for line in lines]


def _link(line: str) -> list[str]:
    words, _, address = clean_line(line).rpartition(" ")
    is_address = re.fullmatch(
        r"(https?://[^\s<>\"'/]+(/[^\s<>\"']*)?|mailto:[^\s<>\"']+@[^\s<>\"']+|/[^/\\\s<>\"'][^\\\s<>\"']*)", address
    )
    if not words or not is_address or len(address) > MAX_ADDRESS or too_long_by(words, MAX_LINK_WORDS):
        raise BadField(
            "links", f"Enter a name and an address in each line, like “Status https://status.example”: {line[:60]}"
        )
    return [words, address]


CHECKS: Mapping[str, Callable[[str], Any]] = {
    "name": _name,
    "description": _line("description", MAX_DESCRIPTION),
    "colour": _colour,
    "about": _text("about"),
    "rules": _text("rules"),
    "privacy": _text("privacy"),
    "contact": _line("contact", MAX_CONTACT),
    "links": _links,
    "signups": _choice("signups", SIGNUPS, may_be_empty=True),
    "inviters": _choice("inviters", INVITERS),
    "audience": _choice("audience", AUDIENCES),
    "post_max_chars": _number("post_max_chars", 1, MAX_POST_CHARS),
    "celebrity_followers": _number("celebrity_followers", 0, MAX_FOLLOWERS),
}
