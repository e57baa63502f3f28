"""Everybody with an account: searched, filtered, in the order in which they joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import ColumnElement, Select, func, or_, select

from app.accounts.models import LoginSession, User, UserCounters
from app.accounts.queries import has_word_starting
from app.accounts.standing import holds_sql
from app.core.emails import email_key
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import is_one_of, starts_with
from app.core.zones import Zone
from app.extensions import db

NEWEST, OLDEST = SORTS = ("newest", "oldest")
# What the list can be narrowed to.
STATES: Mapping[str, tuple[str, Callable[[], ColumnElement[bool]]]] = {
    "": ("All accounts", lambda: User.deleted_at.is_(None)),
    "private": ("Private", lambda: User.deleted_at.is_(None) & User.is_private),
    "limited": ("Limited", lambda: User.deleted_at.is_(None) & holds_sql(User.limited_until)),
    "frozen": ("Frozen", lambda: User.deleted_at.is_(None) & holds_sql(User.frozen_until)),
    "suspended": ("Suspended", lambda: User.deleted_at.is_(None) & holds_sql(User.suspended_until)),
    "deleted": ("Deleted, and being erased", lambda: User.deleted_at.is_not(None)),
}


@dataclass(frozen=True)
class Wanted:
    """Which people are asked for."""

    words: str = ""
    role: str = ""
    state: str = ""
    since: date | None = None
    until: date | None = None  # the last day of them
    sort: str = NEWEST
    zone: Zone = None  # in which these are days
    by_email: bool = False  # whether the words may be the e-mail address of somebody


@dataclass(frozen=True)
class Row:
    """A person, and what those who run the site want to know at first."""

    person: User
    posts: int
    followers: int
    seen_at: datetime | None


def page_of_people(wanted: Wanted, *, at: Sequence[int]) -> tuple[Sequence[Row], Sequence[int] | None]:
    """Return a page of the people who are wanted, beyond `at`, and where the next one starts."""
    people = _select(wanted)
    if at:
        people = people.where(User.id > at[0] if wanted.sort == OLDEST else User.id < at[0])
    order = User.id.asc() if wanted.sort == OLDEST else User.id.desc()
    rows = db.session.execute(people.order_by(order).limit(PAGE_SIZE + 1)).all()
    shown, beyond = cut(rows, key=lambda row: row[0].id)
    seen = _last_seen([row[0].id for row in shown])
    found = [Row(row[0], row[1], row[2], seen.get(row[0].id)) for row in shown]
    return found, None if beyond is None else (beyond,)


def _last_seen(ids: Sequence[int]) -> dict[int, datetime]:
    seen = select(LoginSession.user_id, func.max(LoginSession.last_seen_at)).where(is_one_of(LoginSession.user_id, ids))
    return {row[0]: row[1] for row in db.session.execute(seen.group_by(LoginSession.user_id))}


def _select(wanted: Wanted) -> Select[User, int, int]:
    people = select(User, UserCounters.posts, UserCounters.followers)
    people = people.join(UserCounters, UserCounters.user_id == User.id).where(STATES[wanted.state][1]())
    if wanted.words:
        people = people.where(_named(wanted))
    if wanted.role:
        people = people.where(User.role == wanted.role)
    if wanted.since:
        people = people.where(User.created_at >= _midnight(wanted.since, wanted.zone))
    if wanted.until and wanted.until < date.max:
        people = people.where(User.created_at < _midnight(wanted.until + timedelta(days=1), wanted.zone))
    return people


def _named(wanted: Wanted) -> ColumnElement[bool]:
    """Hold for those whose handle or a word of whose name starts like this, or whose address it is."""
    typed = wanted.words.removeprefix("@").lower()
    ways = [starts_with(func.lower(User.handle), typed)]
    if re.fullmatch(r"[^\W_]+", typed):
        ways.append(has_word_starting(typed))
    if wanted.by_email and "@" in typed:
        ways.append(User.email == email_key(typed))
    return or_(*ways)


def _midnight(day: date, zone: Zone) -> datetime:
    return datetime.combine(day, time.min, zone or UTC)
