"""Watch the statements that a piece of code sends to Postgres."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from psycopg import Cursor
from sqlalchemy import text

from app.extensions import db
from tests.threads import at_once


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements sent while the block runs, by SQLAlchemy or past it."""
    sent: list[str] = []
    execute = Cursor.execute

    def collect(cursor: Any, statement: Any, *args: Any, **options: Any) -> Any:
        sent.append(str(statement))
        return execute(cursor, statement, *args, **options)

    with patch.object(Cursor, "execute", collect):
        yield sent


@contextmanager
def right_before(part: str, act: Callable[[], object]) -> Iterator[None]:
    """Let somebody else act when the first statement with this part is about to be sent."""
    waiting = [act]
    execute = Cursor.execute

    def act_first(cursor: Any, statement: Any, *args: Any, **options: Any) -> Any:
        if waiting and part in str(statement):
            at_once(waiting.pop())  # in a thread of its own: a request inside a request would share its context
        return execute(cursor, statement, *args, **options)

    with patch.object(Cursor, "execute", act_first):
        yield
    assert not waiting, f"no statement with {part}"


def wait_for_a_lock() -> None:
    """Wait until somebody waits for a lock of somebody else."""
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
    for _ in range(3000):
        with db.engine.connect() as connection:
            if connection.scalar(waiting):
                return
        time.sleep(0.02)
    raise AssertionError("nobody waits")
