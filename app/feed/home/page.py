"""The home feed: windows from Redis merged and filtered by Postgres, or from Postgres alone. The pages are the same."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import exists, or_, select

from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.redis import RedisAway
from app.extensions import db, redis
from app.feed.home import from_postgres
from app.feed.home.filtering import filter_home
from app.feed.home.sources import Opened, Sources, with_sources
from app.feed.timelines import build, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.build import Claim
from app.feed.timelines.keys import Source, Window
from app.feed.timelines.process_cache import process_cache
from app.posts.cards.cards import PostCard
from app.posts.models import TagFollow
from app.social.models import Follow

log = logging.getLogger(__name__)

MAX_CANDIDATES = 500
FIRST_MEMBERS = 64  # of a home window that are read at first: they nearly always fill a page
ALL_MEMBERS = 10_000  # more than any window holds


@dataclass(frozen=True)
class Merged:
    """Candidates, newest first, complete down to `floor`; below it only Postgres knows. Floor 0 is the end."""

    ids: Sequence[int]
    floor: int
    is_cut: bool = False  # Redis knows more below the floor


def home_page(
    *,
    viewer: Reader,
    before: int | None,
    size: int = PAGE_SIZE,
    without_filter: int = 0,
    opened: Opened | None = None,
) -> tuple[Sequence[PostCard], int | None]:
    """Return the newest cards of the viewer's home feed below `before`, and where the next page starts.

    `without_filter` reads the feed as if one of the viewer's filters were not there; `opened` is what the request has
    read of the sources already.
    """
    read = _Reading(viewer, size + 1, without_filter)
    place, claims = before, list[Claim]()
    for most in (FIRST_MEMBERS, ALL_MEMBERS):
        merged, claims = _from_redis(viewer, place, most, opened)
        if merged is None:
            break
        read.add(merged.ids)
        place, opened = merged.floor if place is None else min(place, merged.floor), None
        if read.is_full or not merged.is_cut:
            break
    while not read.is_full and place != 0:
        wanted = read.missing
        ids = from_postgres.ids_below(viewer, before=place, size=wanted, without_filter=without_filter)
        read.add(ids)
        # Some of them may be hidden by now, as after an unfollow in between: the feed ends only where Postgres says so.
        place = ids[-1] if len(ids) == wanted else 0
    if claims:
        _build(claims)
    entries, next_before = cut(read.ids, size, key=lambda entry_id: entry_id)
    return read.cards[: len(entries)], next_before


class _Reading:
    """A page that is being put together from candidates, newest first."""

    def __init__(self, viewer: Reader, size: int, without_filter: int) -> None:
        self._viewer, self._size, self._without_filter = viewer, size, without_filter
        self.ids: list[int] = []
        self.cards: list[PostCard] = []

    @property
    def missing(self) -> int:
        return self._size - len(self.ids)

    @property
    def is_full(self) -> bool:
        return self.missing <= 0

    def add(self, candidates: Sequence[int]) -> None:
        """Add those of the candidates that belong into the home."""
        found = filter_home(candidates, self._viewer, size=self.missing, without_filter=self._without_filter)
        self.ids += [entry.facts.id for entry in found.entries]
        self.cards += found.cards(self._viewer)


def _from_redis(
    viewer: Reader, before: int | None, most: int, opened: Opened | None
) -> tuple[Merged | None, list[Claim]]:
    """Merge what Redis holds below a place; None where only Postgres can answer."""
    token = timeline.new_token()  # one for all tries: an interrupted one must not lock the next one out
    try:
        return with_sources(viewer, opened, lambda client, known: _merge(client, viewer, before, most, token, known))
    except RedisAway:
        return None, []


def _build(claims: Sequence[Claim]) -> None:
    """Build what this reader found cold, so that the next page is warm. If that fails, the claim runs out."""
    try:
        with redis.client() as client:
            build.build(client, claims)
    except RedisAway:
        log.debug("Redis went away under a build")


# ---- Redis


def _merge(
    client: Redis, viewer: Reader, before: int | None, most: int, token: str, known: Sources
) -> tuple[Merged | None, list[Claim]]:
    """Merge the home window, the windows of sources and open work; None where only Postgres can answer."""
    if known.only_postgres:
        return None, []
    commands = [timeline.read_home(known.generation, viewer.id, before=before, most=most)]
    if known.merged:
        commands.append(timeline.read_versions(known.generation, known.merged))
    members, *versions = transport.send(client, commands, rider=known.rider)
    home = timeline.slice_in(members, most)
    windows = source_windows(client, known, versions[0]) if known.merged else {}
    cold = [source for source, window in windows.items() if window is None]
    if home is None or cold:
        home_of = viewer.id if home is None and before is None else None
        return None, build.claim(client, known.generation, token, home_of=home_of, sources=cold)
    return merge([home, *(window for window in windows.values() if window)], known.open_ids, before), []


def source_windows(client: Redis, known: Sources, versions: Sequence[bytes | None]) -> dict[Source, Window | None]:
    """Return the windows that are merged: from this process where the version still holds, else in one go.

    A window that has no version gets one, before it is read: the next page finds it in the process.
    """
    version_of = dict(zip(known.merged, versions, strict=True))
    windows = {source: process_cache.get(known.generation, source, version) for source, version in version_of.items()}
    unknown = [source for source, window in windows.items() if window is None]
    if unknown:
        unversioned = {source: timeline.new_token() for source in unknown if version_of[source] is None}
        commands = [timeline.first_version(known.generation, *each) for each in unversioned.items()]
        reads = [timeline.read_source(known.generation, source) for source in unknown]
        answers = transport.send(client, commands + reads)
        taken = zip(unversioned.items(), answers, strict=False)
        version_of |= {source: token.encode() for (source, token), is_ours in taken if is_ours}
        for source, members in zip(unknown, answers[len(commands) :], strict=True):
            window = windows[source] = timeline.window_in(members)
            if window:
                process_cache.keep(known.generation, source, version_of[source], window)
    return windows


def merge(windows: Sequence[Window], open_ids: Sequence[int], before: int | None) -> Merged:
    """Merge windows down to the highest floor: below it one of them knows nothing."""
    floor = max(window.floor for window in windows)
    below = MAX_ID if before is None else before
    ids = [entry_id for entry_id in open_ids if floor <= entry_id < below]
    for window in windows:
        ids += window.between(floor, below)
    ids.sort(reverse=True)  # windows are in order already: merging a few of them is nearly free
    candidates = list(dict.fromkeys(ids))
    is_cut = any(window.is_cut for window in windows if window.floor == floor)
    if len(candidates) > MAX_CANDIDATES:
        return Merged(candidates[:MAX_CANDIDATES], candidates[MAX_CANDIDATES - 1], is_cut=True)
    return Merged(candidates, floor, is_cut)


def follows_anyone(viewer: Reader) -> bool:
    """Say whether the viewer follows anybody or any tag: an empty feed has two different reasons."""
    person, tag = exists().where(Follow.follower_id == viewer.id), exists().where(TagFollow.user_id == viewer.id)
    return bool(db.session.scalar(select(or_(person, tag))))
