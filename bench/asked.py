"""What a page asks of Postgres and Valkey, recorded, so that a bare page can ask just that: the least it can cost."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from redis import Redis

from app.core.database import Prepared, ReadConnection
from app.core.redis import Command
from app.feed.timelines import transport


class Statement(NamedTuple):
    """What was asked of Postgres."""

    statement: Prepared
    values: Sequence[bytes | None]


Asked = Statement | Sequence[Command]  # of Postgres or of Valkey


def record(kind: str, reads: Sequence[Callable[[], object]]) -> None:
    """Read pages in this process, and keep what each of them asks for the bare application, which is another one."""
    _file(kind).write_bytes(pickle.dumps([_asked_by(read) for read in reads]))


def recorded(kind: str) -> list[list[Asked]]:
    """Return what the pages of a kind asked, page by page, in its order."""
    pages: list[list[Asked]] = pickle.loads(_file(kind).read_bytes())  # a file of this very run
    return pages


def _file(kind: str) -> Path:
    return Path(os.environ["FRESHET_DATA"]) / f"asked-{kind}.pickle"


def _asked_by(read: Callable[[], object]) -> list[Asked]:
    asked = list[Asked]()
    rows, send = ReadConnection.rows, transport._send

    def noted_rows(connection: ReadConnection, statement: Prepared, values: Sequence[bytes | None]) -> list[Any]:
        asked.append(Statement(statement, values))
        return rows(connection, statement, values)

    def noted_send(client: Redis, commands: Sequence[Command]) -> list[Any]:
        asked.append(commands)
        return send(client, commands)

    with patch.object(ReadConnection, "rows", noted_rows), patch.object(transport, "_send", noted_send):
        read()
    return asked
