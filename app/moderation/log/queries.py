"""Read the record of what those who run the site did, the newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from flask import Flask
from sqlalchemy import Select, func, select

from app.core import clock
from app.core.database import read_only
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.zones import Zone
from app.extensions import db
from app.moderation.log.models import LogEntry

EXPORTED_AT_ONCE = 500


@dataclass(frozen=True)
class Wanted:
    """Which entries are asked for."""

    words: str = ""
    action: str = ""
    actor: str = ""
    since: date | None = None
    until: date | None = None  # the last day of them
    zone: Zone = None  # in which these are days


def page_of_log(wanted: Wanted, *, at: Sequence[int]) -> tuple[Sequence[LogEntry], Sequence[int] | None]:
    """Return a page of the entries that are wanted, below `at`, and where the next one starts."""
    found = db.session.scalars(_select(wanted, at[0] if at else None).limit(PAGE_SIZE + 1)).all()
    entries, below = cut(found, key=lambda entry: entry.id)
    return entries, None if below is None else (below,)


def all_of_log(wanted: Wanted, *, app: Flask) -> Iterator[LogEntry]:
    """Yield all entries that are wanted, some at a time: they are sent when the request that asked for them is over."""
    before: int | None = None
    while found := _read(_select(wanted, before).limit(EXPORTED_AT_ONCE), app):
        yield from found
        before = found[-1].id


def _read(entries: Select[LogEntry], app: Flask) -> Sequence[LogEntry]:
    with app.app_context(), read_only():
        return db.session.scalars(entries).all()


def _select(wanted: Wanted, before: int | None) -> Select[LogEntry]:
    entries = select(LogEntry).where(LogEntry.id < (MAX_ID if before is None else before)).order_by(LogEntry.id.desc())
    if wanted.words:
        query = func.plainto_tsquery("simple", func.plain_words(wanted.words))
        entries = entries.where(LogEntry.words.bool_op("@@")(query))
    if wanted.action:
        entries = entries.where(LogEntry.action == wanted.action)
    if wanted.actor:
        entries = entries.where(func.lower(LogEntry.actor) == wanted.actor.lower())
    if wanted.since:
        entries = entries.where(LogEntry.at >= datetime.combine(wanted.since, time.min, wanted.zone or UTC))
    if wanted.until and wanted.until < clock.now().astimezone(wanted.zone or UTC).date():
        day_after = wanted.until + timedelta(days=1)
        entries = entries.where(LogEntry.at < datetime.combine(day_after, time.min, wanted.zone or UTC))
    return entries
