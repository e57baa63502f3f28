"""How long posts take to their followers: from the commit to the last timeline written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert

from app.core import clock
from app.extensions import db
from app.feed.models import FanoutLag
from app.outbox.models import OutboxRow

KEPT = timedelta(days=7)


def record(created: Sequence[datetime]) -> None:
    """Note that posts created then have reached their last follower now."""
    if not created:
        return
    now = clock.now()
    waits = [max(0, round((now - moment) / timedelta(milliseconds=1))) for moment in created]
    minute = now.replace(second=0, microsecond=0)
    lag = insert(FanoutLag).values(minute=minute, posts=len(waits), total_ms=sum(waits), worst_ms=max(waits))
    merged = {
        "posts": FanoutLag.posts + lag.excluded.posts,
        "total_ms": FanoutLag.total_ms + lag.excluded.total_ms,
        "worst_ms": func.greatest(FanoutLag.worst_ms, lag.excluded.worst_ms),
    }
    db.session.execute(lag.on_conflict_do_update(index_elements=["minute"], set_=merged))


@dataclass(frozen=True)
class Stats:
    """What an operator wants to know of the fan-out."""

    minutes: Sequence[FanoutLag]
    open_rows: dict[str, int]
    oldest: datetime | None


def stats(*, past: timedelta) -> Stats:
    """Return the lags of the past, by the minute, and the work that is open now."""
    recent = select(FanoutLag).where(FanoutLag.minute >= clock.now() - past).order_by(FanoutLag.minute)
    jobs = select(OutboxRow.job, func.count()).group_by(OutboxRow.job)
    open_rows = {row[0]: row[1] for row in db.session.execute(jobs)}
    oldest = db.session.scalar(select(func.min(OutboxRow.created_at)))
    return Stats(db.session.scalars(recent).all(), open_rows, oldest)


def forget_old() -> None:
    """Delete the lags of last week."""
    db.session.execute(delete(FanoutLag).where(FanoutLag.minute < clock.now() - KEPT))
