"""Scripts and commands to Redis: several in one round trip, answers in order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hiredis import pack_command
from redis import Redis
from redis.connection import AbstractConnection
from redis.exceptions import NoScriptError, ResponseError

from app.core.redis import Command, Rider

COMMANDS_PER_TRIP = 16


@dataclass(frozen=True)
class Script:
    """A Lua script, called by its hash."""

    text: str
    sha: str

    def on(self, keys: Sequence[str], *arguments: object) -> Command:
        """Return the command that runs the script on keys."""
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)


@cache
def script(name: str) -> Script:
    """Return one of the scripts in `scripts/`."""
    text = (Path(__file__).parent / "scripts" / f"{name}.lua").read_text()
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


def send(client: Redis, commands: Sequence[Command], *, rider: Rider | None = None) -> list[Any]:
    """Send commands; a server that does not know our scripts is taught, and asked again."""
    if rider is None or rider.has_ridden:
        return _send_or_teach(client, commands)
    answers = _send_or_teach(client, [*commands, *rider.commands])
    rider.has_ridden = True
    rider.take(answers[len(commands) :])
    return answers[: len(commands)]


def _send_or_teach(client: Redis, commands: Sequence[Command]) -> list[Any]:
    try:
        return _send(client, commands)
    except NoScriptError:
        for name in ("push", "read", "slice", "newer", "rise", "mark", "fill"):
            client.script_load(script(name).text)
        return _send(client, commands)  # whatever ran before is idempotent


def _send(client: Redis, commands: Sequence[Command]) -> list[Any]:
    """Write commands and read their answers, a trip of some at a time; while one is under way the next is packed.

    redis-py's pipeline packs everything before it sends anything, and costs twice as much for a single command.
    """
    pool = client.connection_pool
    connection = pool.get_connection()
    answers: list[Any] = []
    try:
        for start in range(0, len(commands), COMMANDS_PER_TRIP):
            _write(connection, commands[start : start + COMMANDS_PER_TRIP])
            answers += [_answer(connection) for _ in range(start - len(answers))]
        answers += [_answer(connection) for _ in range(len(commands) - len(answers))]
    except BaseException:
        connection.disconnect()  # type: ignore[no-untyped-call]  # nobody must get answers that were meant for us
        raise
    finally:
        pool.release(connection)
    for answer in answers:
        if isinstance(answer, ResponseError):
            raise answer
    return answers


def _write(connection: AbstractConnection, commands: Sequence[Command]) -> None:
    packed = b"".join([pack_command(command) for command in commands])  # type: ignore[arg-type]  # of any length
    connection.send_packed_command([packed])  # type: ignore[no-untyped-call]


def _answer(connection: AbstractConnection) -> Any:
    try:
        return connection.read_response()
    except ResponseError as error:
        return error
