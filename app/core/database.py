"""Connections to Postgres: read-only access without transactions, and idle connections checked before they are lent."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, current_app
from flask_sqlalchemy.session import Session
from psycopg import Connection
from psycopg import OperationalError as Disconnected
from psycopg.adapt import Transformer
from psycopg.errors import error_from_result
from psycopg.pq import ConnStatus, ExecStatus, Format
from psycopg.pq.abc import PGresult
from sqlalchemy import Connection as Borrowed
from sqlalchemy import Engine, UpdateBase, event
from sqlalchemy.exc import DisconnectionError

Row = tuple[Any, ...]
View = TypeVar("View", bound=Callable[..., Any])


_reading: ContextVar[bool] = ContextVar("reading", default=False)


class WriteWhileReading(RuntimeError):
    """Code that said it only reads wrote something."""


@contextmanager
def read_only() -> Iterator[None]:
    """Read without transactions for the length of the block; whatever writes through the session there is refused.

    Nothing is lost: in READ COMMITTED every statement has a snapshot of its own anyway. Two round trips are won, and
    more: at a ROLLBACK psycopg forgets the statements it has prepared, and Postgres plans all of them again. See
    docs/decisions/0008-reading-without-transactions.md.
    """
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


@contextmanager
def on_primary() -> Iterator[None]:
    """Write, or read what was just written, inside a block that otherwise only reads."""
    token = _reading.set(False)
    try:
        yield
    finally:
        _reading.reset(token)


def reads_only(view: View) -> View:
    """Declare that a view only reads."""

    @wraps(view)
    def reading(*args: Any, **values: Any) -> Any:
        with read_only():
            return view(*args, **values)

    reading.reads_only = True  # type: ignore[attr-defined]
    return cast(View, reading)


def is_reading() -> bool:
    """Say whether this code only reads."""
    return _reading.get()


class ReadingSession(Session):
    """A session that sends no BEGIN and no ROLLBACK where code only reads, and refuses to write there."""

    def get_bind(self, mapper: Any = None, clause: Any = None, bind: Any = None, **options: Any) -> Engine | Borrowed:
        if not is_reading():
            return super().get_bind(mapper, clause, bind, **options)
        if isinstance(clause, UpdateBase):
            raise WriteWhileReading(str(clause))
        engine: Engine = current_app.extensions["freshet.reading"]
        return engine


@event.listens_for(ReadingSession, "before_flush")
def _refuse_to_flush(session: ReadingSession, *_: object) -> None:
    """Refuse to write what was changed of objects."""
    if is_reading():
        raise WriteWhileReading(f"{[*session.new, *session.dirty, *session.deleted]}")


class Prepared(NamedTuple):
    """A statement with numbered parameters, the name it is prepared under, and the types of the parameters."""

    name: bytes
    sql: bytes
    types: Sequence[int]


class ReadConnection:
    """An autocommit connection that refuses to write, and the statements it has prepared.

    It speaks to libpq itself: psycopg's cursor parses a statement's text at each use and looks up how to send each
    parameter, which for the statements of a home page takes as long as Postgres takes to answer.
    """

    def __init__(self, connection: Connection[Any]) -> None:
        self.connection = connection
        self._transformer = Transformer(connection)
        self._prepared: set[bytes] = set()
        self._heard = _listen(connection)
        connection.autocommit = True
        # To plan the statement of a home page takes ten times as long as to run it: once per connection is enough.
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute("SET default_transaction_read_only = on")

    def rows(self, statement: Prepared, values: Sequence[bytes | None]) -> list[Row]:
        """Run a statement, prepared at its first use here, with its values as text."""
        pgconn = self.connection.pgconn
        if statement.name not in self._prepared:
            self._check(pgconn.prepare(*statement), ExecStatus.COMMAND_OK)
            self._prepared.add(statement.name)
        result = pgconn.exec_prepared(statement.name, values, None, Format.BINARY)  # type: ignore[arg-type]  # None is NULL
        self._check(result, ExecStatus.TUPLES_OK)
        self._transformer.set_pgresult(result)
        return self._transformer.load_rows(0, result.ntuples, tuple)

    def is_alive(self) -> bool:
        """Say whether the connection, while it was idle, was not closed."""
        return not (self.connection.closed or self._heard.poll(0))

    def _check(self, result: PGresult, wanted: ExecStatus) -> None:
        if result.status == wanted:
            return
        if self.connection.pgconn.status == ConnStatus.BAD:  # libpq gives no SQLSTATE for a server that is gone
            raise Disconnected(result.get_error_message())
        raise error_from_result(result)


class ReadConnections:
    """Kept connections for the few statements that every page asks.

    To borrow a session's connection for a page costs more than to run a statement on it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._idle: deque[ReadConnection] = deque()  # the last one back is the first one out

    @contextmanager
    def lend(self) -> Iterator[ReadConnection]:
        """Lend a connection for one statement. After an error it is not used again."""
        lent = self._take()
        try:
            yield lent
        except BaseException:
            lent.connection.close()
            raise
        self._idle.append(lent)

    def _take(self) -> ReadConnection:
        while self._idle:
            idle = self._idle.pop()
            if idle.is_alive():
                return idle
            idle.connection.close()
        lent = self._engine.raw_connection()
        connection = cast(Connection[Any], lent.driver_connection)
        lent.detach()  # from the pool, for good
        return ReadConnection(connection)

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            self._idle.pop().connection.close()


def is_alive(connection: Connection[Any]) -> bool:
    """Say whether an idle connection can be used: one that has something to say though nobody asked says goodbye.

    A ping would ask the server itself, at the price of a round trip for every request.
    """
    return not (connection.closed or _listen(connection).poll(0))


def _listen(connection: Connection[Any]) -> select.poll:
    """Return what knows whether the server has said something."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return poll


def register(app: Flask, engine: Engine) -> None:
    """Watch an engine's idle connections, and prepare what read-only access uses instead of its transactions."""
    event.listen(engine, "checkout", _refuse_the_dead)
    app.extensions["freshet.reading"] = engine.execution_options(isolation_level="AUTOCOMMIT")
    app.extensions["freshet.read_connections"] = ReadConnections(engine)


def _refuse_the_dead(connection: Any, *_: object) -> None:
    """Have the pool take another connection if this one is dead."""
    if not is_alive(connection):
        raise DisconnectionError
