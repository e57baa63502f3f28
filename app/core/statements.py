"""What SQLAlchemy does not say shortly, and what it does not do fast."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from datetime import datetime
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
    DateTime,
    Delete,
    Insert,
    Select,
    Text,
    Update,
    and_,
    any_,
    bindparam,
    literal,
)
from sqlalchemy import cast as cast_sql
from sqlalchemy.dialects.postgresql import TSQUERY
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from app.core import clock
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


def starts_with(text: ColumnElement[str] | InstrumentedAttribute[str], prefix: str) -> ColumnElement[bool]:
    """Hold where a text starts with a prefix, found by an index with `text_pattern_ops`.

    As a range, because LIKE finds the index only where Postgres plans anew for every prefix. Nothing is above the last
    character of Unicode, which is none that anybody can type.
    """
    return and_(text.op("~>=~")(prefix), text.op("~<~")(prefix + "\U0010ffff"))


def as_array(ids: Sequence[int]) -> str:
    """Return ids as Postgres spells an array: psycopg would take apart a list of 500 numbers one by one."""
    return "{" + ",".join(map(str, ids)) + "}"


def as_tsquery(words: str | BindParameter[str]) -> ColumnElement[Any]:
    """Return words that Postgres itself has spelled as a query for texts."""
    return cast_sql(words if isinstance(words, BindParameter) else literal(words, Text), TSQUERY)


@dataclass(frozen=True)
class AnyViewer:
    """Stands for the viewer in a statement that is compiled once for all of them; `viewer_id` is given when it runs."""

    id: BindParameter[int] = field(default_factory=lambda: bindparam("viewer_id", type_=BigInteger))


def present() -> BindParameter[datetime]:
    """Return the present moment for a statement: in a compiled one that of each run, else that of now.

    From our clock, not from the database's: a test can move it.
    """
    return bindparam("present", value=clock.now(), type_=DateTime(timezone=True))


class Compiled:
    """A statement with named parameters that is built and compiled once: for what every page asks.

    SQLAlchemy builds and keys a statement at each use, which takes longer than Postgres takes to run it. This one goes
    straight to psycopg. It does not flush what the session has not written yet.
    """

    def __init__(self, build: Callable[[], Select[*tuple[Any, ...]]], *, planned_anew: bool = False) -> None:
        """Take what builds the statement. `planned_anew`: its best plan depends on its values, as with searched words.

        Lines for reading plan a statement once for all values: of a word Postgres would not know whether every post has
        it or none. So this one goes over the session's connection, and is not prepared.
        """
        self._build = build
        self._planned_anew = planned_anew

    @cached_property
    def _compiled(self) -> tuple[str, dict[str, Any]]:
        compiled = self._build().compile(dialect=PGDialect_psycopg())  # type: ignore[no-untyped-call]
        return str(compiled), {name: value for name, value in compiled.params.items() if value is not None}

    @property
    def sql(self) -> str:
        """Return the text that is sent."""
        return self._compiled[0]

    def rows(self, **values: object) -> list[tuple[Any, ...]]:
        """Run the statement with these values."""
        sql, constants = self._compiled
        try:
            with _session_cursor() if self._planned_anew else _cursor() as cursor:
                prepare = False if self._planned_anew else None
                cursor.execute(sql, {**constants, "present": clock.now(), **values}, prepare=prepare)
                return cast(list[tuple[Any, ...]], cursor.fetchall())
        except psycopg.OperationalError as error:
            raise OperationalError(sql, values, error) from error


def _cursor() -> AbstractContextManager[Any]:
    """Return a cursor on a line for reading; where something is written, in the session's own transaction."""
    if is_reading():
        lines: ReadingLines = current_app.extensions["freshet.lines"]
        return lines.cursor()
    return _session_cursor()


def _session_cursor() -> AbstractContextManager[Any]:
    return closing(db.session.connection().connection.cursor())
