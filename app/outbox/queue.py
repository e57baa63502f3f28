"""The RQ queue: a hint to a worker that an outbox row is waiting. Losing it loses no work."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from flask import current_app
from redis import Redis
from rq import Queue

from app.core.redis import RedisAway
from app.extensions import redis

NAME = "freshet"
ENOUGH_HINTS = 8


def lease() -> timedelta:
    """Return how long a row is leased to a worker before the sweeper offers it again."""
    return timedelta(seconds=current_app.config["OUTBOX_LEASE_SECONDS"])


def queue_on(client: Redis) -> Queue:
    """Return the one queue. RQ's own timers and retries are off: the sweeper is the only retry."""
    return Queue(NAME, connection=client, default_timeout=-1)


def enqueue(row_id: int, *, in_batches: bool = False) -> None:
    """Tell a worker about a row. With Redis away nothing happens: the sweeper finds the row when its lease is over.

    Where rows are done in batches, enough hints are enough: the worker that takes one of them drains our row too.
    """
    with suppress(RedisAway), redis.client() as client:
        queue = queue_on(client)
        if not in_batches or queue.count < ENOUGH_HINTS:
            queue.enqueue("app.outbox.running.drain", row_id, result_ttl=0, failure_ttl=3600)
