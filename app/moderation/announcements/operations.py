"""Announce something above every feed, and take it back, on the record."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from sqlalchemy import delete, func, or_, select

from app.accounts.models import User
from app.accounts.reader import zone_of
from app.core import clock
from app.core.after_commit import after_commit
from app.core.days import BadDay, read_day
from app.core.errors import Refused
from app.core.text import clean, is_blank, too_long_by
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter
from app.site import settings
from app.site.announcements import MAX_CURRENT
from app.site.models import AnnouncementRow

MAX_TEXT = 1000


class BadAnnouncement(Refused):
    """Nothing that could be announced."""

    field = "text"


class BadStart(Refused):
    """Not a day."""

    field = "starts"


class BadEnd(Refused):
    """Not a day, or none after the first."""

    field = "ends"


def announce(text: str, *, starts: str, ends: str, by: User) -> AnnouncementRow:
    """Say something above every feed, from one day to another; empty is now and for ever."""
    words = clean(text)
    if is_blank(words):
        raise BadAnnouncement("Write something first.")
    if too_long_by(words, MAX_TEXT):
        raise BadAnnouncement(f"Use {MAX_TEXT:,} characters or fewer.")
    now = clock.now()
    starts_at = _midnight(starts, BadStart, by=by) if starts.strip() else now
    ends_at = _midnight(ends, BadEnd, by=by) + timedelta(days=1) if ends.strip() else None
    if ends_at is not None and ends_at <= max(starts_at, now):
        raise BadEnd("That’s over before it begins. Choose a later day.")
    not_over = or_(AnnouncementRow.ends_at.is_(None), AnnouncementRow.ends_at > now)
    if (db.session.scalar(select(func.count()).select_from(AnnouncementRow).where(not_over)) or 0) >= MAX_CURRENT:
        raise BadAnnouncement(f"There are {MAX_CURRENT} announcements already. Delete one first.")
    row = AnnouncementRow(text=words, starts_at=starts_at, ends_at=ends_at)
    db.session.add(row)
    enter(actions.ANNOUNCED, None, by=by, reason="", before={"announcement": ""}, after={"announcement": words})
    after_commit(db.session(), settings.forget)
    return row


def take_back(announcement_id: int, *, by: User) -> bool:
    """Delete an announcement, and say whether it was there."""
    row = db.session.get(AnnouncementRow, announcement_id, with_for_update=True)
    if row is None:
        return False
    text = row.text
    db.session.execute(delete(AnnouncementRow).where(AnnouncementRow.id == announcement_id))
    enter(actions.TAKEN_BACK, None, by=by, reason="", before={"announcement": text}, after={"announcement": ""})
    after_commit(db.session(), settings.forget)
    return True


def _midnight(typed: str, refusal: type[Refused], *, by: User) -> datetime:
    try:
        return datetime.combine(read_day(typed), time.min, zone_of(by) or UTC)
    except BadDay as error:
        raise refusal(str(error)) from error
