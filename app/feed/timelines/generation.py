"""The generation: a random name under which all timelines are valid. Another one, and all of them are cold at once."""

from __future__ import annotations

import logging
import secrets

from sqlalchemy import select, update

from app.extensions import db
from app.feed.models import FeedState

log = logging.getLogger(__name__)


def current() -> str:
    """Return the generation, from Postgres: never from a process's memory."""
    return db.session.scalars(select(FeedState.generation)).one()


def draw() -> None:
    """Make all timelines cold."""
    db.session.execute(update(FeedState).values(generation=_fresh()))


def see_run_id(run_id: str) -> None:
    """Draw a new generation if this is another Redis than the last one: restarted, restored or failed over.

    On a connection of its own: this happens while a request is in the middle of something else.
    """
    other = update(FeedState).where(FeedState.redis_run_id.is_distinct_from(run_id))
    with db.engine.begin() as connection:
        # Looked at before it is written: every new connection of every process comes by here.
        if connection.scalar(select(FeedState.redis_run_id)) != run_id:
            changed = connection.execute(other.values(generation=_fresh(), redis_run_id=run_id)).rowcount
            if changed:
                log.warning("another Redis answers: all timelines are cold")


def _fresh() -> str:
    return secrets.token_hex(6)
