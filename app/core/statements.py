"""What SQLAlchemy does not say shortly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from sqlalchemy import ARRAY, BigInteger, ColumnElement, CursorResult, Delete, Insert, Text, Update, any_, literal
from sqlalchemy import cast as cast_sql
from sqlalchemy.orm import InstrumentedAttribute

from app.extensions import db


def rows_changed(statement: Delete | Insert | Update) -> int:
    """Run a statement and return how many rows it changed: of two clicks at once only one changes any."""
    # Without the option SQLAlchemy says -1 of an INSERT, which is as true as 1.
    result = db.session.execute(statement, execution_options={"preserve_rowcount": True})
    return cast(CursorResult[*tuple[object, ...]], result).rowcount


def is_one_of(column: InstrumentedAttribute[int], ids: Sequence[int]) -> ColumnElement[bool]:
    """Hold where the column is one of the ids. One array parameter: IN would send, parse and plan one for each id."""
    # As text, which Postgres parses: psycopg would take apart a list of 500 numbers one by one.
    return column == any_(cast_sql(literal("{" + ",".join(map(str, ids)) + "}", Text), ARRAY(BigInteger)))
