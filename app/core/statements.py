"""What SQLAlchemy does not say shortly, and what it does not do fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

import psycopg
from flask import current_app
from sqlalchemy import (
    ARRAY,
    BigInteger,
    BindParameter,
    ColumnElement,
    CursorResult,
    Delete,
    Insert,
    Select,
    Text,
    Update,
    any_,
    bindparam,
    literal,
)
from sqlalchemy import cast as cast_sql
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from app.core.database import ReadingLines, is_reading
from app.extensions import db


def rows_changed(statement: Delete | Insert | Update) -> int:
    """Run a statement and return how many rows it changed: of two clicks at once only one changes any."""
    # Without the first option SQLAlchemy says -1 of an INSERT, which is as true as 1; without the second it compares
    # what changed with every object that the session knows.
    options = {"preserve_rowcount": True, "synchronize_session": False}
    result = db.session.execute(statement, execution_options=options)
    return cast(CursorResult[*tuple[object, ...]], result).rowcount


def is_one_of(column: InstrumentedAttribute[int], ids: Sequence[int] | BindParameter[str]) -> ColumnElement[bool]:
    """Hold where the column is one of the ids. One array parameter: IN would send, parse and plan one for each id."""
    array = ids if isinstance(ids, BindParameter) else literal(as_array(ids), Text)
    return column == any_(cast_sql(array, ARRAY(BigInteger)))


def as_array(ids: Sequence[int]) -> str:
    """Return ids as Postgres spells an array: psycopg would take apart a list of 500 numbers one by one."""
    return "{" + ",".join(map(str, ids)) + "}"


@dataclass(frozen=True)
class AnyViewer:
    """Stands for the viewer in a statement that is compiled once for all of them; `viewer_id` is given when it runs."""

    id: BindParameter[int] = field(default_factory=lambda: bindparam("viewer_id", type_=BigInteger))


class Compiled:
    """A statement with named parameters that is built and compiled once: for what every page asks.

    SQLAlchemy builds and keys a statement at each use, which takes longer than Postgres takes to run it. This one goes
    straight to psycopg. It does not flush what the session has not written yet.
    """

    def __init__(self, build: Callable[[], Select[*tuple[Any, ...]]]) -> None:
        self._build = build

    @cached_property
    def _compiled(self) -> tuple[str, dict[str, Any]]:
        compiled = self._build().compile(dialect=PGDialect_psycopg())  # type: ignore[no-untyped-call]
        return str(compiled), {name: value for name, value in compiled.params.items() if value is not None}

    def rows(self, **values: object) -> list[tuple[Any, ...]]:
        """Run the statement with these values."""
        sql, constants = self._compiled
        try:
            with _cursor() as cursor:
                cursor.execute(sql, {**constants, **values})
                return cast(list[tuple[Any, ...]], cursor.fetchall())
        except psycopg.OperationalError as error:
            raise OperationalError(sql, values, error) from error


def _cursor() -> AbstractContextManager[Any]:
    """Return a cursor on a line for reading; where something is written, in the session's own transaction."""
    if is_reading():
        lines: ReadingLines = current_app.extensions["freshet.lines"]
        return lines.cursor()
    return closing(db.session.connection().connection.cursor())
