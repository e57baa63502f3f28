"""Connections to Postgres: reading without transactions, and idle connections looked at before they are lent."""

from __future__ import annotations

import select
from typing import Any

from flask import current_app, has_request_context, request
from flask_sqlalchemy.session import Session
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DisconnectionError

READING = frozenset({"GET", "HEAD", "OPTIONS"})


class ReadingSession(Session):
    """A session in which requests that only read send no BEGIN and no ROLLBACK.

    Nothing is lost: in READ COMMITTED every statement has a snapshot of its own anyway. Two round trips are won, and
    more: at a ROLLBACK psycopg forgets the statements it has prepared, and Postgres plans all of them again. See
    docs/decisions/0008-reading-without-transactions.md.
    """

    def get_bind(self, *args: Any, **options: Any) -> Engine | Connection:
        if has_request_context() and request.method in READING:
            engine: Engine = current_app.extensions["freshet.reading"]
            return engine
        return super().get_bind(*args, **options)


def register(engine: Engine) -> Engine:
    """Watch an engine's idle connections; return the engine for requests that only read."""
    event.listen(engine, "checkout", _refuse_the_dead)
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _refuse_the_dead(connection: Any, *_: object) -> None:
    """Have the pool take another connection if this one has something to say though it was not asked: a farewell.

    A ping would ask the server itself, at the price of a round trip for every request.
    """
    if connection.closed:
        raise DisconnectionError
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    if poll.poll(0):
        raise DisconnectionError
