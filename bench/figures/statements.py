"""How often a home page asks Postgres and Redis: a constant, whatever the page holds."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from flask import Flask
from psycopg import Cursor
from redis.connection import AbstractConnection

from app import create_app
from app.core.database import ReadConnection, ReadConnections
from bench.report import Figure
from bench.stage import Stage

# libpq waits for an answer after each of these: a simple query, or the end of a prepared one.
WAITS = re.compile(rb"\tF\t\d+\t(?:Query|Sync)\b")
UNTIL_PREPARED = 2  # a read connection prepares a statement at its first use


@dataclass
class Count:
    """What one page asked for."""

    statements: int = 0
    postgres_waits: int = 0
    redis_waits: int = 0


def measure(stage: Stage) -> Iterator[Figure]:
    """Count in this process, with rate limits on, as people are served."""
    app = create_app(RATELIMIT_ENABLED=True)
    client = app.test_client(use_cookies=False)
    headers = {"Cookie": stage.readers[0].cookie}

    def read(path: str) -> str:
        response = client.get(path, headers=headers)
        assert response.status_code == 200 and response.text.count("<article") == 20, f"{path}: {response.status}"
        return response.text

    next_link = re.search(r'<a rel="next"[^>]* href="([^"]+)"', read("/"))
    assert next_link is not None, "the feed has no second page"
    for name, path in (("first", "/"), ("second", next_link[1])):
        for _ in range(UNTIL_PREPARED):
            read(path)
        with counting(app) as count:
            read(path)
        yield Figure(f"SQL statements, {name} page", count.statements, unit="")
        yield Figure(
            f"Postgres round trips, {name} page (BEGIN, ROLLBACK and pings would count)", count.postgres_waits, unit=""
        )
        yield Figure(f"Redis round trips, {name} page", count.redis_waits, unit="")


@contextmanager
def counting(app: Flask) -> Iterator[Count]:
    """Count what a page sends: statements of psycopg and of read connections, round trips of libpq and of redis-py."""
    count = Count()

    def counted(send: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **options: Any) -> Any:
            count.statements += 1
            return send(*args, **options)

        return counting

    with (
        patch.object(Cursor, "execute", counted(Cursor.execute)),
        patch.object(ReadConnection, "rows", counted(ReadConnection.rows)),
        _counting_redis(count),
        _counting_postgres(app, count),
    ):
        yield count


@contextmanager
def _counting_redis(count: Count) -> Iterator[None]:
    original: Callable[..., Any] = AbstractConnection.send_packed_command

    def counted(self: AbstractConnection, *args: Any, **options: Any) -> Any:
        count.redis_waits += 1
        return original(self, *args, **options)

    AbstractConnection.send_packed_command = counted  # type: ignore[method-assign]
    try:
        yield
    finally:
        AbstractConnection.send_packed_command = original  # type: ignore[method-assign]


@contextmanager
def _counting_postgres(app: Flask, count: Count) -> Iterator[None]:
    """Read libpq's own trace of the connection over which the page will be read."""
    connections: ReadConnections = app.extensions["freshet.read_connections"]
    with connections.lend() as lent:
        driver = lent.connection
    with tempfile.TemporaryFile() as trace:
        driver.pgconn.trace(trace.fileno())
        try:
            yield
        finally:
            driver.pgconn.untrace()
        trace.seek(0)
        count.postgres_waits = len(WAITS.findall(trace.read()))
