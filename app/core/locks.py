"""Advisory locks: serialise transactions that change the same thing, where there is no row to lock."""

from __future__ import annotations

from sqlalchemy import func, select

from app.extensions import db


def advisory_lock(name: str) -> None:
    """Wait for the lock of this name, and keep it until the transaction ends."""
    db.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(name, 0))))
