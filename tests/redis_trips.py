"""Watch the round trips that a piece of code makes to Redis for its timelines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from redis import Redis

from app.core.redis import Command
from app.feed.timelines import transport


@contextmanager
def round_trips() -> Iterator[list[list[str]]]:
    """Collect the commands of each round trip while the block runs; they are sent as always."""
    trips: list[list[str]] = []
    send = transport._send

    def watch(client: Redis, commands: Sequence[Command]) -> list[Any]:
        trips.append([str(command[0]) for command in commands])
        return send(client, commands)

    with patch.object(transport, "_send", watch):
        yield trips
