"""Watch the statements that a piece of code sends to Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from psycopg import Cursor


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
