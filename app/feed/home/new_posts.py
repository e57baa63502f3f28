"""What is new in the home feed since a page was shown: exactly what a click will show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redis import Redis

from app.accounts.reader import Reader
from app.core import tokens
from app.core.errors import BadCursor
from app.core.ids import MAX_ID, SEQUENCE_BITS
from app.core.redis import RedisAway
from app.feed.home import from_postgres
from app.feed.home import page as home
from app.feed.home.filtering import filter_home
from app.feed.home.seen import NOTHING, Seen
from app.feed.home.sources import Opened, Sources, with_sources
from app.feed.rules.entries import Entry
from app.feed.timelines import keys as timeline
from app.feed.timelines import transport
from app.posts.cards.cards import PostCard

# Ids are drawn in order but may commit a moment out of order: so far back a post may still appear below the top.
OVERLAP = 5_000 << SEQUENCE_BITS
MAX_NEW_POSTS = 100
MAX_SENT = 100  # posts written on one page that are left out of what is new to it


@dataclass(frozen=True)
class Since:
    """What a reader has: everything down to `low` but what appeared late, and what is `named` or was seen above it.

    A page has not what its reader wrote in another tab; to the reader nothing of their own is new.
    """

    low: int
    named: Sequence[int]
    seen: Seen = NOTHING
    own_too: bool = True

    @classmethod
    def left_off(cls, seen: Seen) -> Since:
        """Describe what a reader has seen on all their devices."""
        return cls(seen.mark, (), seen, own_too=False)

    @classmethod
    def shown(cls, entry_ids: Sequence[int], *, is_all: bool) -> Since:
        """Describe a first page: its entries, newest first, and whether they are all there are."""
        if not entry_ids:
            return cls(0, ())
        low = max(0, entry_ids[0] - OVERLAP)
        if not is_all:
            low = max(low, entry_ids[-1])
        return cls(low, [entry_id for entry_id in entry_ids if entry_id > low])

    def and_also(self, entry_ids: Sequence[int]) -> Since:
        """Describe what the reader has after these were shown as well."""
        named = sorted({*self.named, *entry_ids}, reverse=True)
        low = max(self.low, named[0] - OVERLAP) if named else self.low
        return replace(self, low=low, named=[entry_id for entry_id in named if entry_id > low])

    def and_sent(self, post_ids: Sequence[int]) -> Since:
        """Describe what the page has after its reader wrote these on it."""
        return replace(self, named=[*self.named, *post_ids])

    def is_new(self, entry_id: int) -> bool:
        """Say whether the reader does not have an entry yet."""
        return entry_id > self.low and entry_id not in self.named and entry_id not in self.seen


def sign(since: Since, *, viewer: Reader) -> str:
    """Return a token for the page, for this reader alone."""
    return tokens.sign(f"since:{viewer.id}", [since.low, *since.named])


def read(token: str, *, viewer: Reader) -> Since:
    """Understand a token; a foreign or tampered one is refused."""
    try:
        low, *named = tokens.read(f"since:{viewer.id}", token)
    except ValueError as error:
        raise BadCursor("This page is out of date. Reload it to continue.") from error
    return Since(low, named)


def read_sent(words: str) -> list[int]:
    """Understand which posts a page says were written on it."""
    sent = [int(word) for word in words.split(",") if word]
    if len(sent) > MAX_SENT or any(not 0 < post_id <= MAX_ID for post_id in sent):
        raise ValueError(words)
    return sent


def new_ids(viewer: Reader, since: Since, opened: Opened | None = None) -> list[int]:
    """Return what is new, newest first, at most a hundred: an exact count without reading a single text."""
    try:
        found = with_sources(viewer, opened, lambda client, known: _candidates(client, known, viewer, since))
    except RedisAway:
        found = None
    if found is None:
        return _from_postgres(viewer, since)
    candidates = sorted((entry_id for entry_id in found if since.is_new(entry_id)), reverse=True)
    entries = filter_home(candidates, viewer, size=len(candidates)).entries if candidates else ()
    return [entry.facts.id for entry in entries if _is_news(entry, viewer, since)][:MAX_NEW_POSTS]


def _is_news(entry: Entry, viewer: Reader, since: Since) -> bool:
    """Decide whether an entry is by somebody else or, on a page, a post of one's own. A repost one had before one."""
    return entry.facts.author_id != viewer.id or (since.own_too and not entry.is_repost)


def new_cards(viewer: Reader, since: Since, opened: Opened | None = None) -> list[PostCard]:
    """Return what is new as cards."""
    ids = new_ids(viewer, since, opened)
    return filter_home(ids, viewer, size=len(ids)).cards(viewer) if ids else []


def _candidates(client: Redis, known: Sources, viewer: Reader, since: Since) -> set[int] | None:
    """Return what Redis and the open work have above the place; None where only Postgres can say."""
    if known.only_postgres:
        return None
    commands = [timeline.read_newer(known.generation, viewer.id, than=since.low)]
    if known.merged:
        commands.append(timeline.read_versions(known.generation, known.merged))
    members, *versions = transport.send(client, commands, rider=known.rider)
    if members is None:
        return None
    found = {int(member) for member in members} | {entry_id for entry_id in known.open_ids if entry_id > since.low}
    windows = home.source_windows(client, known, versions[0]) if known.merged else {}
    for window in windows.values():
        if window is None or window.floor > since.low:
            return None
        if window.ids and window.ids[0] > since.low:
            found.update(window.between(since.low + 1, MAX_ID))
    return found


def _from_postgres(viewer: Reader, since: Since) -> list[int]:
    found: list[int] = []
    before: int | None = None
    size = MAX_NEW_POSTS + len(since.named)
    while True:
        newest = from_postgres.news_above(viewer, above=since.low, before=before, size=size, own_too=since.own_too)
        found += [entry_id for entry_id in newest if since.is_new(entry_id)]
        if len(newest) < size or len(found) >= MAX_NEW_POSTS:
            return found[:MAX_NEW_POSTS]
        before = newest[-1]
