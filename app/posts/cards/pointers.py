"""What posts repost and quote, as this process has last read it: what to read along with them, never an answer.

A post points at the same post for as long as it is there, and is read by many followers: what it points at can nearly
always be asked for in the same statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.posts.facts import Facts

MAX_KEPT_POINTERS = 20_000


class Pointers:
    """The posts that posts point at, by id."""

    def __init__(self) -> None:
        self._targets: dict[int, tuple[int, ...]] = {}

    def read_along(self, ids: Sequence[int]) -> list[int]:
        """Return the ids, and after them what is known to be pointed at from there, up to the quote in a repost."""
        wanted, asked = dict.fromkeys(ids), list(ids)
        for _ in range(2):
            asked = [target for each in asked for target in self._targets.get(each, ()) if target not in wanted]
            wanted |= dict.fromkeys(asked)
        return list(wanted)

    def note(self, posts: Iterable[Facts]) -> None:
        """Remember what posts point at."""
        found = {
            post.id: tuple(target for target in (post.repost_of_id, post.quote_of_id) if target)
            for post in posts
            if post.repost_of_id or post.quote_of_id
        }
        if len(self._targets) + len(found) > MAX_KEPT_POINTERS:
            self.forget()
        self._targets |= found

    def forget(self) -> None:
        """Begin anew: each page then asks for what it lacks in a statement more, once."""
        self._targets = {}


pointers = Pointers()
