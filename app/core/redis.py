"""The one way to Redis: short timeouts, no resends, and a breaker, because Redis may vanish at any moment."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Flask
from redis import Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection, Connection, ConnectionPool
from redis.exceptions import ConnectionError, OutOfMemoryError, ReadOnlyError, TimeoutError
from redis.retry import Retry

T = TypeVar("T")
Command = tuple[object, ...]

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 0.2
OPEN_SECONDS = 5.0
TRIES = 4
# A replica after a failover and a server whose memory is full answer, but they are as good as none.
REFUSALS = (ConnectionError, TimeoutError, ReadOnlyError, OutOfMemoryError)


class RedisAway(Exception):
    """Redis did not answer, or is not asked because it did not answer a moment ago."""


class _Pool(ConnectionPool):
    """redis-py's pool, in which a connection that comes back open is lent again at once.

    redis-py counts and announces each time that a connection is borrowed, which takes longer than a round trip. For
    it those that wait here are still in use: it closes them with the others.
    """

    def reset(self) -> None:
        """Begin empty; redis-py also does so in a process that was forked."""
        self._open: deque[Connection] = deque()
        super().reset()

    def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Connection:
        self._checkpid()
        with suppress(IndexError):  # none is there, or another thread took the last one
            while True:
                connection = self._open.pop()  # the last one back is the first one out
                if _is_ready(connection):
                    return connection
                connection.disconnect()  # type: ignore[no-untyped-call]
                super().release(connection)
        return super().get_connection()

    def release(self, connection: Connection) -> None:  # type: ignore[override]
        if connection.is_connected and self.owns_connection(connection):
            self._open.append(connection)
        else:
            super().release(connection)


def _is_ready(connection: Connection) -> bool:
    """Say whether an idle connection can be used: one that has something to say though nobody asked says goodbye."""
    try:
        return connection.is_connected and not connection.can_read()
    except (ConnectionError, TimeoutError, OSError):
        return False


def connect(url: str, *, timeout: float | None = TIMEOUT_SECONDS, **options: object) -> Redis:
    """Return a client that fails fast and never resends a command by itself."""
    fail_fast = {"socket_timeout": timeout, "socket_connect_timeout": TIMEOUT_SECONDS, "retry": Retry(NoBackoff(), 0)}
    return Redis.from_pool(_Pool.from_url(url, **fail_fast, **options))


def storage_url(url: str) -> str:
    """Return a Redis address in the spelling that the rate limiter's storage expects."""
    return "redis+" + url if url.startswith("unix://") else url


@dataclass
class Rider:
    """Commands about something else that ride on a round trip that is made anyway."""

    commands: Sequence[Command]
    take: Callable[[Sequence[Any]], None]  # the answers
    has_ridden: bool = False


class RedisGate:
    """A client behind a breaker: after a failure nobody in this process waits for Redis for some seconds."""

    def __init__(self) -> None:
        self._client: Redis | None = None
        self._closed_again_at = 0.0
        self._away = False
        self._lock = threading.Lock()
        self._opened = 0
        self._run_id_seen: Callable[[str], None] = lambda run_id: None

    def on_run_id(self, seen: Callable[[str], None]) -> None:
        """Have `seen` called with the server's run id whenever a connection opens, before its first command."""
        self._run_id_seen = seen

    def init_app(self, app: Flask) -> None:
        self._client = connect(
            app.config["REDIS_URL"], timeout=app.config["REDIS_TIMEOUT"], redis_connect_func=self._open
        )
        self._closed_again_at = 0.0
        self._away = False
        self._opened = 0

    def _open(self, connection: AbstractConnection) -> None:
        connection.on_connect()  # type: ignore[no-untyped-call]
        connection.send_command("INFO", "server")  # type: ignore[no-untyped-call]
        answer: bytes = connection.read_response()
        try:
            self._run_id_seen(_run_id_in(answer))
        except Exception:
            connection.disconnect()  # type: ignore[no-untyped-call]
            raise
        # Counted only now: a process that reads the number knows that the generation it reads next is the new one.
        self._opened += 1

    def connections(self) -> int | None:
        """Return how many connections were opened so far, for `uninterrupted(since=)`; None while Redis is away."""
        try:
            with self.client() as client:
                if self._opened == 0:
                    client.ping()
                return self._opened
        except RedisAway:
            return None

    def uninterrupted(self, operation: Callable[[Redis], T], *, since: int | None = None) -> T:
        """Run an operation from its start again if a connection was opened under it, or `since` it was prepared.

        Behind a new connection may be another server, or the same one with older data; whatever the operation knew
        from before (the generation of the timelines) may be wrong now.
        """
        for _ in range(TRIES):
            with self.client() as client:
                if self._opened == 0:
                    client.ping()  # opens the first connection before the operation begins, not under it
                opened = self._opened if since is None else since
                result = operation(client)
            if opened == self._opened:
                return result
            since = None
        raise RedisAway("connections do not hold")

    @contextmanager
    def client(self) -> Iterator[Redis]:
        """Lend the client; a connection that fails inside trips the breaker and comes out as `RedisAway`."""
        assert self._client is not None, "init_app was not called"
        if time.monotonic() < self._closed_again_at:
            raise RedisAway
        try:
            if self._away:
                self._client.ping()  # not every borrower sends something: who only looked has not seen it back
                self._recover()
            yield self._client
        except REFUSALS as error:
            self._trip(error)
            raise RedisAway from error

    def _trip(self, error: Exception) -> None:
        self._closed_again_at = time.monotonic() + OPEN_SECONDS
        if self._turns(away=True):  # said once, not once per request
            log.warning("Redis is away, going on without it: %s", error)

    def _recover(self) -> None:
        if self._turns(away=False):
            log.warning("Redis is back")

    def _turns(self, *, away: bool) -> bool:
        """Note that Redis is away or back, and say whether that is news: of several threads one brings it."""
        with self._lock:
            is_news, self._away = self._away != away, away
        return is_news


def _run_id_in(answer: bytes) -> str:
    for line in answer.decode().splitlines():
        if line.startswith("run_id:"):
            return line.removeprefix("run_id:")
    raise ConnectionError("the server did not say its run id")
