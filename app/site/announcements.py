"""What those who run the site say above every feed, until it is over or the reader has dismissed it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, select

from app.core import clock
from app.core.statements import Compiled
from app.site.models import AnnouncementRow

MAX_CURRENT = 10  # that are over or not yet begun are not counted


class Announcement(NamedTuple):
    """An announcement, and when it is shown."""

    id: int
    text: str
    starts_at: datetime
    ends_at: datetime | None


def read() -> tuple[Announcement, ...]:
    """Return the announcements that are not over, the oldest first."""
    now = clock.now()
    rows = _announcements.rows_as(Announcement)
    return tuple(row for row in rows if row.ends_at is None or row.ends_at > now)


def first_of(announcements: Sequence[Announcement], *, dismissed: Sequence[int]) -> Announcement | None:
    """Return the oldest announcement that is shown now to a reader who has dismissed these."""
    now = clock.now()
    return next((each for each in announcements if each.id not in dismissed and _is_current(each, now)), None)


def _is_current(announcement: Announcement, now: datetime) -> bool:
    return announcement.starts_at <= now and (announcement.ends_at is None or now < announcement.ends_at)


@Compiled
def _announcements() -> Select[*tuple[Any, ...]]:
    columns = [getattr(AnnouncementRow, name) for name in Announcement._fields]
    return select(*columns).order_by(AnnouncementRow.id)
