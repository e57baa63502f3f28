"""The home feed: windows from Redis merged and filtered by Postgres, or from Postgres alone. The pages are the same."""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import neg
from typing import Any

from redis import Redis
from sqlalchemy import (
    Integer,
    Select,
    Text,
    any_,
    bindparam,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import array

from app.accounts.models import User
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.redis import RedisAway
from app.core.statements import AnyViewer, Compiled, as_array, is_one_of
from app.extensions import db, redis
from app.feed import rules
from app.feed.home import from_postgres
from app.feed.models import BOTH, PULL, AuthorMode, FeedState
from app.feed.timelines import build, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.build import Claim
from app.feed.timelines.keys import Source, Window
from app.feed.timelines.process_cache import process_cache
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.cards.cards import PostCard, to_cards
from app.posts.cards.columns import select_home_cards
from app.posts.models import Post, PostTag, TagFollow
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


def home_page(*, viewer: User, before: int | None, size: int = PAGE_SIZE) -> tuple[Sequence[PostCard], int | None]:
    """Return the newest cards of the viewer's home feed below `before`, and where the next page starts."""
    token = timeline.new_token()  # one for all tries: an interrupted one must not lock the next one out
    try:
        merged, claims = redis.uninterrupted(lambda client: _merge(client, viewer, before, token))
    except RedisAway:
        merged, claims = None, []
    cards = _merged_cards(viewer, merged, before, size + 1) if merged else from_postgres.cards(viewer, before, size + 1)
    if claims:
        _build(claims)
    return cut(cards, size, key=lambda card: card.entry_id)


def _merged_cards(viewer: User, merged: Merged, before: int | None, size: int) -> list[PostCard]:
    """Filter and hydrate the candidates; what is missing lies below the floor, and comes from Postgres."""
    window = {**rules.reader(viewer), "ids": as_array(merged.ids), "size": size}
    cards = to_cards(_cards_in_window.rows(**window)) if merged.ids else []
    if len(cards) < size and merged.floor > 0:
        below = merged.floor if before is None else min(before, merged.floor)
        cards += from_postgres.cards(viewer, below, size - len(cards))
    return cards


def _build(claims: Sequence[Claim]) -> None:
    """Build what this reader found cold, so that the next page is warm. If that fails, the claim runs out."""
    try:
        with redis.client() as client:
            build.build(client, claims)
    except RedisAway:
        log.debug("Redis went away under a build")


# ---- Redis


def _merge(client: Redis, viewer: User, before: int | None, token: str) -> tuple[Merged | None, list[Claim]]:
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


def read_sources(viewer: User) -> Sources:
    """Read, before Redis is asked: the generation, what is merged, and entries whose fan-out is still open.

    In this order no entry is missed: a fan-out that finishes in between was either seen open here or is in Redis.
    """
    [row] = _sources.rows(viewer_id=viewer.id)
    return Sources(row[0], [*(row[1] or ()), *(row[2] or ())], row[3] or (), row[4])


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
        pulled.scalar_subquery(),
        select(func.array_agg(TagFollow.tag)).where(TagFollow.user_id == viewer.id).scalar_subquery(),
        select(func.array_agg(work.c.subject_id)).where(theirs).scalar_subquery(),
        or_(select(func.count() > MOST_OPEN).select_from(work).scalar_subquery(), backfill),
    )


@Compiled
def _cards_in_window() -> Select[*tuple[Any, ...]]:
    viewer = AnyViewer()
    in_home = select(Post.id).where(is_one_of(Post.id, bindparam("ids", type_=Text)), rules.in_home_of(viewer))
    return select_home_cards(viewer, in_home.order_by(Post.id.desc()).limit(bindparam("size", type_=Integer)))


def follows_anyone(viewer: User) -> bool:
    """Say whether the viewer follows anybody or any tag: an empty feed has two different reasons."""
    person, tag = exists().where(Follow.follower_id == viewer.id), exists().where(TagFollow.user_id == viewer.id)
    return bool(db.session.scalar(select(or_(person, tag))))
