"""The home feed: windows from Redis merged and filtered by Postgres, or from Postgres alone. The pages are the same."""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import neg
from typing import Any, NamedTuple

from redis import Redis
from sqlalchemy import Select, any_, exists, func, or_, select
from sqlalchemy.dialects.postgresql import array

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.redis import RedisAway
from app.core.statements import AnyViewer, Compiled
from app.extensions import db, redis
from app.feed.home import from_postgres
from app.feed.home.filtering import filter_home
from app.feed.models import BOTH, PULL, AuthorMode, FeedState
from app.feed.timelines import build, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.build import Claim
from app.feed.timelines.keys import Source, Window
from app.feed.timelines.process_cache import process_cache
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.cards.cards import PostCard
from app.posts.models import PostTag, TagFollow
from app.social.models import Follow
from app.social.queries import followed_by

log = logging.getLogger(__name__)

MOST_OPEN = 500
MOST_CANDIDATES = 500
SLICE_PER_AUTHOR = 100


@dataclass(frozen=True)
class Sources:
    """What must be known before Redis is asked, from one statement."""

    generation: str
    merged: Sequence[Source]  # the pulled authors and the tags that the reader follows
    open_ids: Sequence[int]
    only_postgres: bool


@dataclass(frozen=True)
class Merged:
    """Candidates, newest first, complete down to `floor`; below it only Postgres knows. Floor 0 is the end."""

    ids: Sequence[int]
    floor: int


def home_page(
    *, viewer: Reader, before: int | None, size: int = PAGE_SIZE, without_filter: int = 0
) -> tuple[Sequence[PostCard], int | None]:
    """Return the newest cards of the viewer's home feed below `before`, and where the next page starts.

    `without_filter` reads the feed as if one of the viewer's filters were not there.
    """
    token = timeline.new_token()  # one for all tries: an interrupted one must not lock the next one out
    try:
        merged, claims = redis.uninterrupted(lambda client: _merge(client, viewer, before, token))
    except RedisAway:
        merged, claims = None, []
    below = MAX_ID if before is None else before
    page = _read(viewer, merged or Merged((), below), below, size + 1, without_filter)
    if claims:
        _build(claims)
    entries, next_before = cut(page.ids, size, key=lambda entry_id: entry_id)
    shown = set(entries)
    return [card for card in page.cards if card.entry_id in shown], next_before


@dataclass(frozen=True)
class _Read:
    """The ids of a page, and the cards of those that are still there: the end is said by the ids."""

    ids: Sequence[int]
    cards: Sequence[PostCard]


def _read(viewer: Reader, merged: Merged, before: int, size: int, without_filter: int) -> _Read:
    """Filter the candidates; what is missing lies below the floor, and comes from Postgres."""
    found = filter_home(merged.ids, viewer, size=size, without_filter=without_filter)
    ids, cards = [entry.facts.id for entry in found.entries], found.cards(viewer)
    if len(ids) < size and merged.floor > 0:
        missing, below = size - len(ids), min(before, merged.floor)
        older = from_postgres.ids_below(viewer, before=below, size=missing, without_filter=without_filter)
        ids += older
        cards += filter_home(older, viewer, size=missing, without_filter=without_filter).cards(viewer)
    return _Read(ids, cards)


def _build(claims: Sequence[Claim]) -> None:
    """Build what this reader found cold, so that the next page is warm. If that fails, the claim runs out."""
    try:
        with redis.client() as client:
            build.build(client, claims)
    except RedisAway:
        log.debug("Redis went away under a build")


# ---- Redis


def _merge(client: Redis, viewer: Reader, before: int | None, token: str) -> tuple[Merged | None, list[Claim]]:
    """Merge the home window, the windows of sources and open work; None where only Postgres can answer."""
    sources = read_sources(viewer)
    if sources.only_postgres:
        return None, []
    commands = [timeline.read_home(sources.generation, viewer.id, before=before)]
    if sources.merged:
        commands.append(timeline.read_versions(sources.generation, sources.merged))
    members, *versions = transport.send(client, commands)
    home = timeline.window_in(members)
    windows = source_windows(client, sources, versions[0]) if sources.merged else {}
    cold = [source for source, window in windows.items() if window is None]
    if home is None or cold:
        home_of = viewer.id if home is None and before is None else None
        return None, build.claim(client, sources.generation, token, home_of=home_of, sources=cold)
    found = [home, *(_below(window, before) for window in windows.values() if window)]
    return merge(found, sources.open_ids, before), []


def source_windows(client: Redis, sources: Sources, versions: Sequence[bytes | None]) -> dict[Source, Window | None]:
    """Return the windows that are merged: from this process where the version still holds, else in one go.

    A window that has no version gets one, before it is read: the next page finds it in the process.
    """
    version_of = dict(zip(sources.merged, versions, strict=True))
    windows = {source: process_cache.get(sources.generation, source, version) for source, version in version_of.items()}
    unknown = [source for source, window in windows.items() if window is None]
    if unknown:
        unversioned = {source: timeline.new_token() for source in unknown if version_of[source] is None}
        commands = [timeline.first_version(sources.generation, *each) for each in unversioned.items()]
        reads = [timeline.read_source(sources.generation, source) for source in unknown]
        answers = transport.send(client, commands + reads)
        taken = zip(unversioned.items(), answers, strict=False)
        version_of |= {source: token.encode() for (source, token), is_ours in taken if is_ours}
        for source, members in zip(unknown, answers[len(commands) :], strict=True):
            window = windows[source] = timeline.window_in(members)
            if window:
                process_cache.keep(sources.generation, source, version_of[source], window)
    return windows


def _below(window: Window, before: int | None) -> Window:
    """Return the next slice of a window; where it is cut, its last id is its floor for this page."""
    start = 0 if before is None else bisect_left(window.ids, 1 - before, key=neg)
    ids = window.ids[start : start + SLICE_PER_AUTHOR]
    is_cut = start + SLICE_PER_AUTHOR < len(window.ids)
    return Window(ids, ids[-1] if is_cut else window.floor)


def merge(windows: Sequence[Window], open_ids: Sequence[int], before: int | None) -> Merged:
    """Merge windows down to the highest floor: below it one of them knows nothing."""
    floor = max(window.floor for window in windows)
    below = MAX_ID if before is None else before
    ids = [entry_id for entry_id in open_ids if floor <= entry_id < below]
    for window in windows:
        ids += window.ids[: bisect_right(window.ids, -floor, key=neg)]
    ids.sort(reverse=True)  # windows are in order already: merging a few of them is nearly free
    candidates = list(dict.fromkeys(ids))
    if len(candidates) > MOST_CANDIDATES:
        return Merged(candidates[:MOST_CANDIDATES], candidates[MOST_CANDIDATES - 1])
    return Merged(candidates, floor)


# ---- Postgres


def read_sources(viewer: Reader) -> Sources:
    """Read, before Redis is asked: the generation, what is merged, and entries whose fan-out is still open.

    In this order no entry is missed: a fan-out that finishes in between was either seen open here or is in Redis.
    """
    [row] = _sources.rows_as(_SourcesRow, viewer_id=viewer.id)
    merged = [*(row.pulled or ()), *(row.tags or ())]
    return Sources(row.generation, merged, row.open_ids or (), row.only_postgres)


class _SourcesRow(NamedTuple):
    generation: str
    pulled: list[int] | None
    tags: list[str] | None
    open_ids: list[int] | None
    only_postgres: bool


@Compiled
def _sources() -> Select[*tuple[Any, ...]]:
    viewer = AnyViewer()
    open_rows = select(OutboxRow.subject_id, OutboxRow.actor_id).where(OutboxRow.job == names.FAN_OUT_POST)
    work = open_rows.order_by(OutboxRow.id).limit(MOST_OPEN + 1).cte("work")
    followed = exists().where(TagFollow.user_id == viewer.id, TagFollow.tag == PostTag.tag)
    tagged = exists().where(PostTag.post_id == work.c.subject_id, followed)
    theirs = or_(work.c.actor_id == viewer.id, followed_by(viewer.id, work.c.actor_id), tagged)
    pulled = (
        select(func.array_agg(AuthorMode.user_id))
        .join(Follow, Follow.followed_id == AuthorMode.user_id)
        .where(Follow.follower_id == viewer.id, AuthorMode.mode == any_(array([BOTH, PULL])))
    )
    backfill = exists().where(OutboxRow.job == names.BACKFILL_FOLLOW, OutboxRow.actor_id == viewer.id)
    return select(
        FeedState.generation,
        pulled.scalar_subquery().label("pulled"),
        select(func.array_agg(TagFollow.tag)).where(TagFollow.user_id == viewer.id).scalar_subquery().label("tags"),
        select(func.array_agg(work.c.subject_id)).where(theirs).scalar_subquery().label("open_ids"),
        or_(select(func.count() > MOST_OPEN).select_from(work).scalar_subquery(), backfill).label("only_postgres"),
    )


def follows_anyone(viewer: User) -> bool:
    """Say whether the viewer follows anybody or any tag: an empty feed has two different reasons."""
    person, tag = exists().where(Follow.follower_id == viewer.id), exists().where(TagFollow.user_id == viewer.id)
    return bool(db.session.scalar(select(or_(person, tag))))
