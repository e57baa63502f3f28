"""Let those who would change the same thing wait for each other, where no row stands for that thing."""

from __future__ import annotations

from sqlalchemy import func, select

from app.extensions import db


def advisory_lock(name: str) -> None:
    """Wait until nobody else holds this name, and hold it to the end of the transaction."""
    db.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
