"""Connections to Postgres: reading without transactions, and idle connections looked at before they are lent."""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from flask import Flask, current_app, has_request_context, request
from flask_sqlalchemy.session import Session
from psycopg import Connection, Cursor
from sqlalchemy import Connection as Borrowed
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

READING = frozenset({"GET", "HEAD", "OPTIONS"})


class ReadingSession(Session):
    """A session in which requests that only read send no BEGIN and no ROLLBACK.

    Nothing is lost: in READ COMMITTED every statement has a snapshot of its own anyway. Two round trips are won, and
    more: at a ROLLBACK psycopg forgets the statements it has prepared, and Postgres plans all of them again. See
    docs/decisions/0008-reading-without-transactions.md.
    """

    def get_bind(self, *args: Any, **options: Any) -> Engine | Borrowed:
        if is_reading():
            engine: Engine = current_app.extensions["freshet.reading"]
            return engine
        return super().get_bind(*args, **options)


def is_reading() -> bool:
    """Say whether this is a request that only reads."""
    return has_request_context() and request.method in READING


class ReadingLines:
    """Kept cursors on connections of their own, for the few statements that every page asks.

    To borrow a session's connection for a page costs more than to run a statement on it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._idle: deque[Cursor[Any]] = deque()  # the last one back is the first one out

    @contextmanager
    def cursor(self) -> Iterator[Cursor[Any]]:
        """Lend a cursor for one statement. After an error its connection is not used again."""
        cursor = self._take()
        try:
            yield cursor
        except BaseException:
            cursor.connection.close()
            raise
        self._idle.append(cursor)

    def _take(self) -> Cursor[Any]:
        while self._idle:
            cursor = self._idle.pop()
            if is_alive(cursor.connection):
                return cursor
            cursor.connection.close()
        lent = self._engine.raw_connection()
        connection = cast(Connection[Any], lent.driver_connection)
        lent.detach()  # from the pool, for good
        connection.autocommit = True
        cursor = connection.cursor()
        # To plan the statement of a home page takes ten times as long as to run it: once per line is enough.
        cursor.execute("SET plan_cache_mode = force_generic_plan")
        connection.prepare_threshold = 0
        return cursor

    def close(self) -> None:
        """Hang up."""
        while self._idle:
            self._idle.pop().connection.close()


def is_alive(connection: Connection[Any]) -> bool:
    """Say whether an idle connection can be used: one that has something to say though nobody asked says goodbye.

    A ping would ask the server itself, at the price of a round trip for every request.
    """
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)


def register(app: Flask, engine: Engine) -> None:
    """Watch an engine's idle connections, and prepare what requests that only read use instead of its transactions."""
    event.listen(engine, "checkout", _refuse_the_dead)
    app.extensions["freshet.reading"] = engine.execution_options(isolation_level="AUTOCOMMIT")
    app.extensions["freshet.lines"] = ReadingLines(engine)


def _refuse_the_dead(connection: Any, *_: object) -> None:
    """Have the pool take another connection if this one is dead."""
    if not is_alive(connection):
        raise DisconnectionError
