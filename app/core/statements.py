"""Run a statement for its effect."""

from __future__ import annotations

from typing import cast

from sqlalchemy import CursorResult, Delete, Insert, Update

from app.extensions import db


def rows_changed(statement: Delete | Insert | Update) -> int:
    """Run a statement and return how many rows it changed: of two clicks at once only one changes any."""
    # Without the option SQLAlchemy says -1 of an INSERT, which is as true as 1.
    result = db.session.execute(statement, execution_options={"preserve_rowcount": True})
    return cast(CursorResult[*tuple[object, ...]], result).rowcount
