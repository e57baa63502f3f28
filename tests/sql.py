"""Watch the statements that a piece of code sends to Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from sqlalchemy import event

from app.extensions import db


@contextmanager
def statements(app: Flask) -> Iterator[list[str]]:
    """Collect the statements sent while the block runs."""
    sent: list[str] = []

    def collect(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        sent.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", collect)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", collect)
