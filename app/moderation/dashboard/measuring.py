"""Count what the dashboard shows, by the schedule: a page that counted would count millions of rows at each view."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import LoginSession, User
from app.core import clock, ids
from app.extensions import db
from app.moderation.dashboard.models import SiteDay
from app.posts.models import Post

MONTH = timedelta(days=30)
KEPT = timedelta(days=400)


def measure() -> None:
    """Count today, and yesterday once more while it was not yet over when it was last counted."""
    today = clock.now().astimezone(UTC).date()
    yesterday = today - timedelta(days=1)
    measured_at = db.session.scalar(select(SiteDay.measured_at).where(SiteDay.day == yesterday))
    if measured_at is not None and measured_at < _start(today):
        _measure(yesterday)
    _measure(today)
    db.session.execute(delete(SiteDay).where(SiteDay.day < today - KEPT))


def _measure(day: date) -> None:
    start, end = _start(day), _start(day + timedelta(days=1))
    values = {"day": day, "measured_at": clock.now(), **_people(start, end), **_active(start, end)}
    values["posts"] = db.session.scalar(
        select(func.count()).where(Post.id >= ids.id_at(start), Post.id < ids.id_at(end), Post.deleted_at.is_(None))
    )
    row = insert(SiteDay).values(values)
    db.session.execute(row.on_conflict_do_update(index_elements=["day"], set_=values))


def _people(start: datetime, end: datetime) -> dict[str, int]:
    joined = func.count().filter(User.created_at >= start)
    row = db.session.execute(select(func.count(), joined).where(User.deleted_at.is_(None), User.created_at < end)).one()
    return {"people": row[0], "joined": row[1]}


def _active(start: datetime, end: datetime) -> dict[str, int]:
    """Count who was here by their sessions; of one that was used since, the day before is not known any more."""
    people = func.count(LoginSession.user_id.distinct())
    seen = select(people.filter(LoginSession.last_seen_at >= start), people)
    in_time = (LoginSession.last_seen_at >= end - MONTH, LoginSession.last_seen_at < end)
    row = db.session.execute(seen.where(*in_time)).one()
    return {"active": row[0], "active_month": row[1]}


def _start(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
