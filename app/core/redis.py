"""The one way to Redis: short timeouts, no resends, and a breaker, because Redis may vanish at any moment."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, TimeoutError
from redis.retry import Retry

log = logging.getLogger(__name__)

TIMEOUT_SECONDS = 0.2
OPEN_SECONDS = 5.0


class RedisAway(Exception):
    """Redis did not answer, or is not asked because it did not answer a moment ago."""


def connect(url: str, *, timeout: float | None = TIMEOUT_SECONDS) -> Redis:
    """Return a client that fails fast and never resends a command by itself."""
    return Redis.from_url(
        url, socket_timeout=timeout, socket_connect_timeout=TIMEOUT_SECONDS, retry=Retry(NoBackoff(), 0)
    )


def storage_url(url: str) -> str:
    """Return a Redis address in the spelling that the rate limiter's storage expects."""
    return "redis+" + url if url.startswith("unix://") else url


class RedisGate:
    """A client behind a breaker: after a failure nobody in this process waits for Redis for some seconds."""

    def __init__(self) -> None:
        self._client: Redis | None = None
        self._closed_again_at = 0.0
        self._away = False

    def init_app(self, app: Flask) -> None:
        self._client = connect(app.config["REDIS_URL"])
        self._closed_again_at = 0.0
        self._away = False

    @contextmanager
    def client(self) -> Iterator[Redis]:
        """Lend the client; a connection that fails inside trips the breaker and comes out as `RedisAway`."""
        assert self._client is not None, "init_app was not called"
        if time.monotonic() < self._closed_again_at:
            raise RedisAway
        try:
            yield self._client
        except (ConnectionError, TimeoutError) as error:
            self._trip(error)
            raise RedisAway from error
        self._recover()

    def _trip(self, error: Exception) -> None:
        self._closed_again_at = time.monotonic() + OPEN_SECONDS
        if not self._away:  # said once, not once per request
            log.warning("Redis is away, going on without it: %s", error)
        self._away = True

    def _recover(self) -> None:
        if self._away:
            log.warning("Redis is back")
        self._away = False
