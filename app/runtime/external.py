"""Servers that are not ours: ask once whether they answer, and say in a sentence if they do not."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import psycopg
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.runtime.failure import StartFailure

SECONDS_TO_ANSWER = 5
NOT_POSTGRES = "DATABASE_URL must be the address of a Postgres database: postgresql://user:password@host/name"
NOT_REDIS = "REDIS_URL must be the address of a Redis or Valkey: redis://user:password@host:6379/0"


def check_postgres(url: str, *, seconds: int = SECONDS_TO_ANSWER) -> None:
    """Connect to the Postgres that DATABASE_URL names within `seconds`, or say what it answered."""
    address = url.replace("postgresql+psycopg://", "postgresql://", 1)
    try:
        urlsplit(address).port  # noqa: B018 - raises when a password with an unescaped slash is taken for the port
        with psycopg.connect(address, connect_timeout=seconds) as connection:
            connection.execute("SELECT 1")
    except (ValueError, psycopg.ProgrammingError) as error:
        raise StartFailure(NOT_POSTGRES) from error  # the parser's own message would repeat the password
    except psycopg.Error as error:
        raise StartFailure(f"DATABASE_URL does not work. Postgres: {_said(error, url)}") from error


def check_redis(url: str, *, seconds: int = SECONDS_TO_ANSWER) -> None:
    """Connect to the Redis or Valkey that REDIS_URL names within `seconds`, or say what it answered."""
    try:
        client = redis.Redis.from_url(
            url,
            socket_connect_timeout=seconds,
            socket_timeout=seconds,
            retry=Retry(NoBackoff(), 0),
        )
    except ValueError as error:
        raise StartFailure(NOT_REDIS) from error
    try:
        client.ping()
    except (redis.RedisError, OSError) as error:
        raise StartFailure(f"REDIS_URL does not work. Redis: {_said(error, url)}") from error
    finally:
        client.close()


def _said(error: Exception, url: str) -> str:
    """Return the first thing the server said, without the password."""
    words = str(error).strip().splitlines()[0].removeprefix("connection failed: ").removeprefix("connection is bad: ")
    secret = urlsplit(url).password
    for form in {secret, unquote(secret)} if secret else ():
        words = words.replace(form, "***")
    return words
