"""What SQLAlchemy does not say shortly, and what it does not do fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple, TypeVar, cast

import psycopg
from flask import current_app
from sqlalchemy import (
    ARRAY,
    BigInteger,
    BindParameter,
    Boolean,
    ColumnElement,
    CursorResult,
    DateTime,
    Delete,
    Insert,
    Interval,
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
from sqlalchemy.dialects.postgresql.psycopg import PGCompiler_psycopg, PGDialect_psycopg
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import InstrumentedAttribute

from app.core import clock
from app.core.database import Prepared, ReadConnections, Row, is_reading
from app.extensions import db

R = TypeVar("R", bound=tuple[Any, ...])


def rows_changed(statement: Delete | Insert | Update) -> int:
    """Run a statement and return how many rows it changed: of two clicks at once only one changes any."""
    # Without the first option SQLAlchemy says -1 of an INSERT, which is as true as 1; without the second it compares
    # what changed with every object that the session knows.
    options = {"preserve_rowcount": True, "synchronize_session": False}
    result = db.session.execute(statement, execution_options=options)
    return cast(CursorResult[*tuple[object, ...]], result).rowcount


def is_one_of(
    column: InstrumentedAttribute[int] | InstrumentedAttribute[int | None],
    ids: Sequence[int] | BindParameter[str] | ColumnElement[Any],
) -> ColumnElement[bool]:
    """Hold where the column is one of the ids. One array parameter: IN would send, parse and plan one for each id."""
    array = ids if isinstance(ids, ColumnElement) else literal(as_array(ids), Text)
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

    id: ColumnElement[int] = field(default_factory=lambda: bindparam("viewer_id", type_=BigInteger))


def present() -> BindParameter[datetime]:
    """Return the present moment for a statement: in a compiled one that of each run, else that of now.

    From our clock, not from the database's: a test can move it.
    """
    return bindparam("present", value=clock.now(), type_=DateTime(timezone=True))


# Where a parameter stands for itself, Postgres cannot tell the type of it from the text.
ANY_TYPE = 0
_OIDS = {Boolean: 16, DateTime: 1184, Interval: 1186}


class _Compiler(PGCompiler_psycopg):
    """Writes constants into the text, where Postgres plans with them: it does not know that LIMIT $7 is LIMIT 1."""

    def visit_bindparam(self, bindparam: BindParameter[Any], *args: Any, **options: Any) -> str:
        if bindparam.unique and bindparam.value is not None:  # what is given when it runs has a name that is not unique
            options["literal_binds"] = True
        return super().visit_bindparam(bindparam, *args, **options)  # type: ignore[no-untyped-call, no-any-return]


class _Dialect(PGDialect_psycopg):
    """Has numbered parameters, so that each value is sent once, however often the statement mentions it."""

    statement_compiler = _Compiler
    _backslash_escapes = False  # as `standard_conforming_strings` says since Postgres 9.1

    def __init__(self) -> None:
        super().__init__(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]


class Compiled:
    """A statement with named parameters that is built, compiled and prepared once: for what every page asks.

    SQLAlchemy builds and keys a statement at each use, which takes longer than Postgres takes to run it. This one goes
    to libpq as it is.
    """

    _numbers = count(1)

    def __init__(self, build: Callable[[], Select[*tuple[Any, ...]]], *, planned_anew: bool = False) -> None:
        """Take what builds the statement. `planned_anew`: its best plan depends on its values, as with searched words.

        Read connections plan a statement once for all values: of a word Postgres would not know whether every post has
        it or none. So this one goes over the session's connection, and is not prepared.
        """
        self._build = build
        self._planned_anew = planned_anew
        self._fitting: set[type[Any]] = set()  # whose fields are the columns
        self._name = b"compiled_%d" % next(self._numbers)

    @cached_property
    def _compiled(self) -> _Text:
        statement = self._build()
        compiled = statement.compile(dialect=_Dialect())
        assert "POSTCOMPILE" not in str(compiled), "in_() of values is spelled anew at each use: take any_(array(…))"
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        names = tuple(compiled.positiontup or ())
        types = [_OIDS.get(type(compiled.binds[name].type), ANY_TYPE) for name in names]
        defaults = {name: _as_text(constants.get(name)) for name in names}
        prepared = Prepared(self._name, str(compiled).encode(), types)
        return _Text(prepared, names, constants, defaults, tuple(statement.selected_columns.keys()))

    def compile(self) -> None:
        """Compile the statement now: a long one takes a fifth of a second, in which somebody would wait."""
        _ = self._compiled

    @property
    def sql(self) -> str:
        """Return the text that is sent."""
        return self._compiled.statement.sql.decode()

    def rows(self, **values: object) -> list[Row]:
        """Run the statement with these values: on a read connection, or in the transaction of what is being written."""
        text = self._compiled
        if "present" in text.names:
            values.setdefault("present", clock.now())
        try:
            if self._planned_anew or not is_reading():
                return self._rows_of_session(text, values)
            given = [_as_text(values[name]) if name in values else text.defaults[name] for name in text.names]
            connections: ReadConnections = current_app.extensions["freshet.read_connections"]
            with connections.lend() as connection:
                return connection.rows(text.statement, given)
        except psycopg.OperationalError as error:
            raise OperationalError(self.sql, values, error) from error

    def rows_as(self, kind: type[R], **values: object) -> list[R]:
        """Run the statement and return its rows as NamedTuples, whose fields must be its columns by name and order."""
        if kind not in self._fitting:
            self._check_fields(kind)
        return [kind(*row) for row in self.rows(**values)]

    def _check_fields(self, kind: type[Any]) -> None:
        fields: tuple[str, ...] = kind._fields
        columns = self._compiled.columns
        if fields[: len(columns)] != columns or not set(fields[len(columns) :]) <= kind._field_defaults.keys():
            raise TypeError(f"{kind.__name__} has the fields {fields}, the statement {columns}")
        self._fitting.add(kind)

    def mappings(self, **values: object) -> list[dict[str, Any]]:
        """Run the statement and return its rows by the names of its columns."""
        return [dict(zip(self._compiled.columns, row, strict=True)) for row in self.rows(**values)]

    def _rows_of_session(self, text: _Text, values: Mapping[str, object]) -> list[Row]:
        db.session.flush()
        given = {**text.constants, **values}
        driver = cast(psycopg.Connection[Any], db.session.connection().connection.driver_connection)
        with psycopg.RawCursor(driver) as cursor:
            prepare = False if self._planned_anew else None
            cursor.execute(text.statement.sql, [given.get(name) for name in text.names], prepare=prepare)
            return cursor.fetchall()


class _Text(NamedTuple):
    """A compiled statement: its text, its parameters by number, and the values that are part of it."""

    statement: Prepared
    names: tuple[str, ...]
    constants: dict[str, object]
    defaults: dict[str, bytes | None]  # the same, as libpq takes them
    columns: tuple[str, ...]


def _as_text(value: object) -> bytes | None:
    """Return a value as Postgres spells it; the statement says of which type it is."""
    match value:
        case None:
            return None
        case str():
            return value.encode()
        case bool():
            return b"true" if value else b"false"
        case int() | float():
            return repr(value).encode()
        case bytes():
            return b"\\x" + value.hex().encode()
        case datetime():
            return value.isoformat().encode()
        case list() | tuple():
            return b"{" + b",".join(_quoted(_as_text(each)) for each in value) + b"}"
        case timedelta():
            return b"%f seconds" % value.total_seconds()
    raise TypeError(f"no spelling for {type(value).__name__}")


def _quoted(value: bytes | None) -> bytes:
    if value is None:
        return b"NULL"
    return b'"' + value.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
