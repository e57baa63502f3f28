"""How the site is: its days, its jobs, its servers. A fixed number of statements, none of which counts far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any

from sqlalchemy import func, select, text

from app.core import clock
from app.core.redis import RedisAway
from app.extensions import db, redis
from app.moderation.dashboard.models import SiteDay
from app.outbox.models import OutboxRow

DAYS = 30
MOST_COUNTED = 10_000


@dataclass(frozen=True)
class Jobs:
    """What is open, counted up to a limit, and what has failed of it."""

    open: int
    failed: int


@dataclass(frozen=True)
class Servers:
    """The health of what the site stands on."""

    postgres: str
    database_bytes: int
    connections: int
    most_connections: int
    migration: str
    redis: dict[str, Any] | None  # None while it is away


def days() -> Sequence[SiteDay | None]:
    """Return the last thirty days, the oldest first; None for one that nobody has measured."""
    today = clock.now().astimezone(UTC).date()
    wanted = [today - timedelta(days=ago) for ago in range(DAYS - 1, -1, -1)]
    found = {day.day: day for day in db.session.scalars(select(SiteDay).where(SiteDay.day >= wanted[0]))}
    return [found.get(day) for day in wanted]


def jobs() -> Jobs:
    """Return how many jobs are open, and how many have failed at least once."""
    some = select(OutboxRow.id).limit(MOST_COUNTED).subquery()
    failed = select(OutboxRow.id).where(OutboxRow.attempts > 0).limit(MOST_COUNTED).subquery()
    counted = select(
        select(func.count()).select_from(some).scalar_subquery(),
        select(func.count()).select_from(failed).scalar_subquery(),
    )
    row = db.session.execute(counted).one()
    return Jobs(row[0], row[1])


def servers() -> Servers:
    """Return what Postgres and Redis say of themselves."""
    statement = text(
        "SELECT current_setting('server_version'), pg_database_size(current_database()), "
        "(SELECT count(*) FROM pg_stat_activity), current_setting('max_connections')::int, "
        "(SELECT max(version_num) FROM alembic_version)"
    )
    row = db.session.execute(statement).one()
    return Servers(row[0], row[1], row[2], row[3], row[4], _redis())


def _redis() -> dict[str, Any] | None:
    try:
        with redis.client() as client:
            return dict(client.info())
    except RedisAway:
        return None
