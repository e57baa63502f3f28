"""Timelines in Redis as the engine makes them: of everybody who reads, and of a whole crowd."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Flask
from redis import Redis
from sqlalchemy import delete, func, select

from app.core.redis import Command
from app.extensions import db, redis
from app.feed.home.sources import MAX_OPEN_ROWS
from app.feed.timelines import build, generation, modes, transport
from app.feed.timelines import keys as timeline
from app.outbox.models import OutboxRow
from app.outbox.queue import queue_on
from app.posts.models import Post
from bench import rich
from bench.data import Cast
from bench.load import WrongAnswer

COMMANDS_PER_TRIP = 1000
PACKED = b"listpack"


@dataclass(frozen=True)
class Crowd:
    """Full windows of many people."""

    generation: str
    entries: int  # in the windows that were copied
    used_bytes: int  # by which the server's memory grew meanwhile


def warm_cast(app: Flask, client: Redis, cast: Cast) -> str:
    """Promote the loudest, and build their windows and the homes of everybody who reads, as a first page would.

    Return the generation under which they are warm.
    """
    with app.app_context():
        for author in cast.pulled:
            modes.promote(author)
        db.session.commit()
        redis.uninterrupted(lambda pages_client: pages_client.ping())  # sees another server: it has a new generation
        _build(client, cast)  # by a patient client: on a busy machine so many large fills take longer than a page waits
        return generation.current()


def _build(client: Redis, cast: Cast) -> None:
    now, token = generation.current(), timeline.new_token()
    build.build(client, build.claim(client, now, token, home_of=None, sources=_sources(cast)))
    for reader in _readers(cast):
        build.build(client, build.claim(client, now, token, home_of=reader, sources=()))
    for author in cast.pulled:  # what the fan-out of their newest post sends: from then on the window has a version
        newest = db.session.scalars(build.newest_by(author).limit(1)).all()
        transport.send(client, list(timeline.push_sources(now, [author], newest)))


def _readers(cast: Cast) -> list[int]:
    return [*cast.reading(), *cast.rich_readers]


def _sources(cast: Cast) -> list[timeline.Source]:
    return [*cast.pulled, *rich.FOLLOWED_TAGS]


def fill_crowd(app: Flask, client: Redis, cast: Cast) -> Crowd:
    """Give everybody of the crowd a full window: some are made by the engine, the others are copies of them.

    A window is trimmed when it is a tenth over the cap. As on a busy site, each length up to there is as frequent.
    """
    with app.app_context():
        now, lengths = generation.current(), timeline.cap() // 10 + 1
        keys = [timeline.home_key(now, user_id) for user_id in cast.crowd]
        newest = db.session.scalars(select(Post.id).order_by(Post.id.desc()).limit(timeline.cap() + lengths)).all()
        for extra, key in enumerate(keys[:lengths]):
            transport.send(client, list(_make(key, newest, extra)))
        cap = timeline.cap()
    before = used_memory(client)
    copies = [("COPY", keys[number % lengths], keys[number]) for number in range(lengths, len(keys))]
    if sum(send(client, copies)) != len(copies):
        raise WrongAnswer("a timeline of the crowd could not be copied")
    used = used_memory(client) - before
    check_packed(client, keys)
    return Crowd(now, sum(cap + number % lengths for number in range(lengths, len(keys))), used)


def _make(key: str, newest: Sequence[int], extra: int) -> Iterator[Command]:
    """Yield what fills a window and then pushes so many more posts into it."""
    token = timeline.new_token()
    yield timeline.mark(key, token)
    yield timeline.fill(key, token, newest[extra : extra + timeline.cap()])
    for entry_id in reversed(newest[:extra]):
        yield from timeline.push([key], [entry_id])


def send(client: Redis, commands: Sequence[Command]) -> list[Any]:
    """Send any number of commands, a thousand in a round trip."""
    starts = range(0, len(commands), COMMANDS_PER_TRIP)
    return [
        answer for start in starts for answer in transport.send(client, commands[start : start + COMMANDS_PER_TRIP])
    ]


def used_memory(client: Redis) -> int:
    """Return what the server uses for what it holds."""
    return int(client.info("memory")["used_memory"])


def check_packed(client: Redis, keys: Sequence[str], encoding: bytes = PACKED) -> None:
    """Refuse windows that are encoded otherwise."""
    found = set(send(client, [("OBJECT", "ENCODING", key) for key in keys]))
    if found != {encoding}:
        raise WrongAnswer(f"windows should be {encoding!r} and are {found}")


def check_warm(app: Flask, client: Redis, warm_generation: str, cast: Cast) -> None:
    """Refuse to go on if a reader's page would come from Postgres: a cold window, much open work."""
    with app.app_context():
        now = generation.current()
        open_rows = db.session.scalar(select(func.count()).select_from(OutboxRow)) or 0
    keys = [timeline.home_key(now, user_id) for user_id in _readers(cast)]
    keys += [timeline.source_key(now, source) for source in _sources(cast)]
    windows = [timeline.window_in(members) for members in transport.send(client, [_whole(key) for key in keys])]
    if now != warm_generation or None in windows or open_rows > MAX_OPEN_ROWS:
        raise WrongAnswer(f"not warm: {windows.count(None)} cold windows, {open_rows} open rows")


def _whole(key: str) -> Command:
    return ("ZRANGE", key, 0, -1)


def check_arrived(client: Redis, keys: Sequence[str], entry_ids: Sequence[int]) -> None:
    """Refuse to go on if an entry is missing in one of the windows."""
    scores = send(client, [("ZSCORE", key, entry_id) for entry_id in entry_ids for key in keys])
    if None in scores:
        raise WrongAnswer(f"{scores.count(None)} of {len(scores)} entries did not arrive")


def discard_work(app: Flask, client: Redis) -> None:
    """Forget all open work."""
    with app.app_context():
        db.session.execute(delete(OutboxRow))
        db.session.commit()
    queue_on(client).empty()  # type: ignore[no-untyped-call]
