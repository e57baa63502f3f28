"""Watch the statements that a piece of code sends to Postgres."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from psycopg import Cursor
from sqlalchemy import text

from app.core.database import Prepared, ReadConnection
from app.extensions import db
from tests.threads import at_once


@contextmanager
def _before_each(act: Callable[[str], None]) -> Iterator[None]:
    """Call `act` with each statement that is about to be sent: by SQLAlchemy, or by `Compiled` to libpq."""
    execute: Callable[..., Any] = Cursor.execute
    rows: Callable[..., Any] = ReadConnection.rows

    def executing(cursor: Any, statement: Any, *args: Any, **options: Any) -> Any:
        act(statement.decode() if isinstance(statement, bytes) else str(statement))
        return execute(cursor, statement, *args, **options)

    def reading(connection: Any, statement: Prepared, values: Any) -> Any:
        act(statement.sql.decode())
        return rows(connection, statement, values)

    with patch.object(Cursor, "execute", executing), patch.object(ReadConnection, "rows", reading):
        yield


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements sent while the block runs."""
    sent: list[str] = []
    with _before_each(sent.append):
        yield sent


@contextmanager
def right_before(part: str, act: Callable[[], object]) -> Iterator[None]:
    """Let somebody else act when the first statement with this part is about to be sent."""
    waiting = [act]

    def act_first(statement: str) -> None:
        if waiting and part in statement:
            at_once(waiting.pop())  # in a thread of its own: a request inside a request would share its context

    with _before_each(act_first):
        yield
    assert not waiting, f"no statement with {part}"


def wait_for_a_lock(*, waiters: int = 1) -> None:
    """Wait until so many connections wait for a lock of another."""
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    for _ in range(3000):
        with db.engine.connect() as connection:
            if (connection.scalar(waiting) or 0) >= waiters:
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")
