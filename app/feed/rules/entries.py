"""What the clauses of a home decide about: an entry, the post it shows, and the other reposts of that post."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.posts.facts import Facts


class Repost(NamedTuple):
    """A repost that could be in the reader's home: their own, or by an account whose reposts they want."""

    post_id: int
    id: int
    author_id: int
    handle: str
    name: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A place in a home: a post, or a repost of one."""

    facts: Facts
    post: Facts  # what it shows: itself, or what it is a repost of
    reposts: Sequence[Repost] = ()  # of that post, the oldest first

    @property
    def is_repost(self) -> bool:
        return self.facts.repost_of_id is not None
