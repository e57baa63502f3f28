"""Timelines in Redis: the only module that knows their keys, their members and their scripts.

A timeline is one contiguous window of the newest entries: member = id, score = minus the id, so that a packed ZSET is
scanned from its newest end. Member 0 is the floor: while it is there, the window reaches to the beginning of time. A
member `m…` is the marker of a builder. A key that does not exist is cold.
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from flask import current_app

from app.core.redis import Command
from app.feed.timelines.transport import script

BUCKETS = 1024
KEYS_PER_CALL = 64  # more in one call block the server for everybody
KEPT_SECONDS = 7 * 24 * 60 * 60
BUILD_SECONDS = 30


@dataclass(frozen=True)
class Window:
    """What a timeline holds below some place, newest first. Below `floor` it knows nothing; floor 0 is the end."""

    ids: Sequence[int]
    floor: int
    is_cut: bool = False  # the timeline itself goes on below the floor

    @cached_property
    def _places(self) -> list[int]:
        """Return the ids in the order in which they can be bisected."""
        return [-entry_id for entry_id in self.ids]

    def between(self, floor: int, below: int) -> Sequence[int]:
        """Return the ids down to a floor, below a place."""
        return self.ids[bisect_right(self._places, -below) : bisect_right(self._places, -floor)]


def home_key(generation: str, user_id: int) -> str:
    """Return the key of a reader's home. The bucket in braces keeps several of them on one node of a cluster."""
    return f"home:{generation}:{{{user_id % BUCKETS}}}:{user_id}"


Source = int | str  # what has a window of its own that is merged at read: an author by id, or a tag


def source_key(generation: str, source: Source) -> str:
    """Return the key of the window of an author or of a tag."""
    return f"author:{generation}:{source}" if isinstance(source, int) else f"tag:{generation}:{source}"


def versions_key(generation: str) -> str:
    """Return the key of the hash that says which state the window of each author and tag is in."""
    return f"source_versions:{generation}"


def _versions_field(source: Source) -> str:
    return str(source) if isinstance(source, int) else f"#{source}"


def cap() -> int:
    """Return how many entries a window holds."""
    size: int = current_app.config["FEED_WINDOW"]
    return size


def read_home(generation: str, user_id: int, *, before: int | None, most: int) -> Command:
    """Return the command that reads the newest of a home below a place; `slice_in` understands the answer."""
    lowest = "-inf" if before is None else f"(-{before}"
    return script("slice").on([home_key(generation, user_id)], lowest, KEPT_SECONDS, most)


def read_whole_home(generation: str, user_id: int) -> Command:
    """Return the command that reads a whole home; `window_in` understands the answer."""
    return script("read").on([home_key(generation, user_id)], "-inf", KEPT_SECONDS)


def read_source(generation: str, source: Source) -> Command:
    """Return the command that reads the whole window of an author or of a tag."""
    return script("read").on([source_key(generation, source)], "-inf", KEPT_SECONDS)


def read_newer(generation: str, user_id: int, *, than: int) -> Command:
    """Return the command that reads what a home has above a place; it answers None where the home cannot say."""
    return script("newer").on([home_key(generation, user_id)], than)


def read_rising(generation: str, user_id: int, *, than: int, most: int) -> Command:
    """Return the command that reads the oldest of a home above a place; it answers None where the home cannot say."""
    return script("rise").on([home_key(generation, user_id)], than, KEPT_SECONDS, most)


def window_in(members: Sequence[bytes]) -> Window | None:
    """Understand what a timeline answered: None if it is cold, being built, or has nothing below the place."""
    if not members or members[-1].startswith(b"m"):
        return None
    ids = [int(member) for member in members]
    return Window(ids[:-1], 0) if ids[-1] == 0 else Window(ids, ids[-1])


def slice_in(members: Sequence[bytes], most: int) -> Window | None:
    """Understand a slice of a timeline and its last member: None if it is cold or being built, or has nothing there."""
    if not members or members[-1].startswith(b"m"):
        return None
    if len(members) <= most or members[-2] == members[-1]:  # it reaches the end, whose last member comes twice
        return window_in(members[:-1])
    ids = [int(member) for member in members[:-1]]
    return Window(ids, ids[-1], is_cut=True)


def push(keys: Sequence[str], ids: Sequence[int]) -> Iterable[Command]:
    """Yield the commands that put ids into those timelines that exist, oldest first, some keys a call."""
    # Trimming at every write would cost a third of the speed. But many ids may be the newest of more: below the oldest
    # of them the window would have a hole, and only the trim takes what is below, the floor first.
    longest = cap() + cap() // 10 if len(ids) == 1 else cap()
    ordered = sorted(ids)
    for start in range(0, len(keys), KEYS_PER_CALL):
        yield script("push").on(keys[start : start + KEYS_PER_CALL], cap(), longest, *ordered)


def push_home(generation: str, user_ids: Sequence[int], ids: Sequence[int]) -> Iterable[Command]:
    """Yield the commands that put ids into the homes of people."""
    return push([home_key(generation, user_id) for user_id in user_ids], ids)


def delete_homes(generation: str, user_ids: Sequence[int]) -> Iterable[Command]:
    """Yield the commands that make the homes of people cold."""
    for start in range(0, len(user_ids), KEYS_PER_CALL):
        yield ("DEL", *(home_key(generation, user_id) for user_id in user_ids[start : start + KEYS_PER_CALL]))


def push_sources(generation: str, sources: Sequence[Source], ids: Sequence[int]) -> Iterable[Command]:
    """Yield the commands that put ids into windows of authors and tags, and then give these new versions.

    In this order: a process that sees the new version reads a window that has the ids.
    """
    yield from push([source_key(generation, source) for source in sources], ids)
    versions = [word for source in sources for word in (_versions_field(source), secrets.token_hex(8))]
    yield ("HSET", versions_key(generation), *versions)
    yield ("EXPIRE", versions_key(generation), KEPT_SECONDS)  # those of a generation that is over go by themselves


def read_versions(generation: str, sources: Sequence[Source]) -> Command:
    """Return the command that reads the versions of the windows of authors and tags."""
    return ("HMGET", versions_key(generation), *map(_versions_field, sources))


def first_version(generation: str, source: Source, version: str) -> Command:
    """Return the command that gives a window a version where it has none; it answers 1 where it did."""
    return ("HSETNX", versions_key(generation), _versions_field(source), version)


def mark(key: str, token: str) -> Command:
    """Return the command that claims a cold timeline for a builder; it answers 1 to the one who got it."""
    return script("mark").on([key], token, BUILD_SECONDS)


def fill(key: str, token: str, ids: Sequence[int]) -> Command:
    """Return the command that finishes a build with the newest ids there are; it answers 1 if the claim still held."""
    is_whole = "1" if len(ids) < cap() else "0"
    return script("fill").on([key], token, cap(), KEPT_SECONDS, is_whole, *sorted(ids))


def new_token() -> str:
    """Return a name for a builder that no other has."""
    return secrets.token_hex(8)
