"""Where a reader left off: what they have seen, kept in Postgres for all their devices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.core import clock
from app.core.ids import id_at
from app.extensions import db
from app.feed.home.seen import Seen, Stretch, as_numbers, from_numbers
from app.feed.models import FeedMark


@dataclass(frozen=True)
class Mark:
    """What a reader has seen, and since when the mark is where it is; None while it is where it began."""

    seen: Seen
    moved_at: datetime | None
    has_older: bool = False  # posts below it, which came into the feed since then


def mark_of(
    seen_id: int,
    moved_at: datetime | None,
    seen: Sequence[int],
    opened: Sequence[int],
    widened_at: datetime | None = None,
) -> Mark:
    """Return the mark from what is kept: pages that were opened without scripts count as seen."""
    has_older = widened_at is not None and (moved_at is None or widened_at >= moved_at)
    return Mark(Seen(seen_id).and_also(from_numbers([*seen, *opened])), moved_at, has_older)


def begin(reader_id: int, *, below: int, is_end: bool = False) -> None:
    """Let a reader begin below their first page: new is what is on it or was posted since they joined.

    What was there before, further down, is for them to discover, and nothing that they missed.
    """
    joined_at = db.session.execute(select(User.created_at).where(User.id == reader_id)).scalar_one()
    mark = insert(FeedMark).values(
        user_id=reader_id, seen_id=below if is_end else min(below, id_at(joined_at)), seen_at=None
    )
    db.session.execute(mark.on_conflict_do_nothing())


def see(reader_id: int, stretches: Sequence[Stretch], *, session_id: int) -> Mark:
    """Note what was on the screen of a device. It runs scripts, so the page it opened last does not count as seen."""
    row = _lock(reader_id)
    before = _mark_in(row)
    if row.opened_by == session_id:
        row.opened, row.opened_by = [], None
    return _keep(row, stretches, before)


def open_page(reader_id: int, stretches: Sequence[Stretch], *, session_id: int) -> Mark:
    """Note a page that was opened by a device that runs no scripts, as far as is known.

    It counts as seen, unless the device turns out to run them: then it says itself what was on its screen. The page
    that was opened before this one is seen for good.
    """
    row = _lock(reader_id)
    before = _mark_in(row)
    opened_before, row.opened, row.opened_by = row.opened, as_numbers(stretches), session_id
    return _keep(row, from_numbers(opened_before), before)


def join(reader_id: int, gaps: Sequence[Stretch]) -> Mark:
    """Note that nothing was missed between entries that were seen."""
    row = _lock(reader_id)
    return _keep(row, gaps, _mark_in(row))


def _lock(reader_id: int) -> FeedMark:
    """Return a reader's row, with everything that devices have reported until now."""
    begin(reader_id, below=id_at(clock.now()))
    theirs = select(FeedMark).where(FeedMark.user_id == reader_id)
    return db.session.scalars(theirs.with_for_update().execution_options(populate_existing=True)).one()


def _mark_in(row: FeedMark) -> Mark:
    return mark_of(row.seen_id, row.seen_at, row.seen, row.opened, row.widened_at)


def _keep(row: FeedMark, stretches: Sequence[Stretch], before: Mark) -> Mark:
    seen = Seen(row.seen_id, from_numbers(row.seen)).and_also(stretches)
    row.seen_id, row.seen = seen.mark, as_numbers(seen.above)
    if _mark_in(row).seen.mark > before.seen.mark:
        row.seen_at = clock.now()
    return _mark_in(row)
