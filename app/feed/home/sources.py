"""What must be known before Redis is asked: who reads, where they left off, and what their home is merged from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from redis import Redis
from sqlalchemy import ColumnElement, Integer, Select, any_, bindparam, exists, func, or_, select
from sqlalchemy.dialects.postgresql import array

from app.accounts import sessions
from app.accounts.models import User
from app.accounts.reader import Reader, SessionReader
from app.core.redis import Rider
from app.core.statements import AnyViewer, Compiled
from app.extensions import redis
from app.feed.home.marks import Mark, mark_of
from app.feed.models import BOTH, PULL, AuthorMode, FeedMark, FeedState
from app.feed.timelines.keys import Source
from app.outbox import names
from app.outbox.models import OutboxRow
from app.posts.models import PostTag, TagFollow
from app.social.models import Follow
from app.social.queries import followed_by

T = TypeVar("T")
MAX_OPEN_ROWS = 500


@dataclass(frozen=True)
class Sources:
    """What a home is merged from."""

    generation: str
    merged: Sequence[Source]  # the pulled authors and the tags that the reader follows
    open_ids: Sequence[int]
    only_postgres: bool
    rider: Rider | None = None  # on the first round trip to Redis


@dataclass(frozen=True)
class Opened:
    """What the one statement of a home page found, and how many connections to Redis had been opened before it."""

    reader: SessionReader
    mark: Mark | None
    sources: Sources
    connections: int | None


def read_sources(viewer: Reader) -> Sources:
    """Read, before Redis is asked: the generation, what is merged, and entries whose fan-out is still open.

    In this order no entry is missed: a fan-out that finishes in between was either seen open here or is in Redis.
    """
    [row] = _sources.rows_as(_SourcesRow, viewer_id=viewer.id, most_open=MAX_OPEN_ROWS)
    return _sources_in(row)


def open_home(token: str, ride: Callable[[int], Rider | None] = lambda reader_id: None) -> Opened | None:
    """Read the same together with who reads, by the token of their session, and where they left off.

    `ride` returns what else is sent with the first round trip to Redis, such as a count of this reader's requests.
    """
    connections = redis.connections()
    rows = _opened.rows_as(_OpenedRow, digest=sessions.digest_of(token), most_open=MAX_OPEN_ROWS)
    if not rows:
        return None
    [row] = rows
    reader = SessionReader(
        id=row.id,
        handle=row.handle,
        name=row.name,
        avatar=row.avatar,
        role=row.role,
        is_private=row.is_private,
        repeat_hours=row.repeat_hours,
        hides_own_reposts=row.hides_own_reposts,
        groups_conversations=row.groups_conversations,
        starts_at_top=row.starts_at_top,
        time_zone=row.time_zone,
        frozen_until=row.frozen_until,
        suspended_until=row.suspended_until,
        notice_id=row.notice_id,
        must_acknowledge=row.must_acknowledge,
        has_report_news=row.has_report_news,
        dismissed=row.dismissed,
        session_token=token,
        session_id=row.session_id,
    )
    if row.seen_long_ago:
        sessions.keep_alive(row.session_id)
    mark = None
    if row.seen_id is not None:
        mark = mark_of(row.seen_id, row.seen_at, row.seen or (), row.opened or (), row.widened_at)
    return Opened(reader, mark, replace(_sources_in(row), rider=ride(row.id)), connections)


def with_sources(viewer: Reader, opened: Opened | None, operation: Callable[[Redis, Sources], T]) -> T:
    """Run an operation on Redis; if a connection was opened under it, again from what Postgres says of the sources."""
    known = [opened.sources] if opened else []

    def run(client: Redis) -> T:
        return operation(client, known.pop() if known else read_sources(viewer))

    return redis.uninterrupted(run, since=opened.connections if opened else None)


class _SourcesRow(NamedTuple):
    generation: str
    pulled: list[int] | None
    tags: list[str] | None
    open_ids: list[int] | None
    only_postgres: bool


class _OpenedRow(NamedTuple):
    id: int
    handle: str
    name: str
    avatar: str | None
    role: str
    is_private: bool
    repeat_hours: int
    hides_own_reposts: bool
    groups_conversations: bool
    starts_at_top: bool
    time_zone: str | None
    frozen_until: datetime | None
    suspended_until: datetime | None
    notice_id: int | None
    must_acknowledge: bool
    has_report_news: bool
    dismissed: list[int]
    session_id: int
    seen_long_ago: bool
    seen_id: int | None
    seen_at: datetime | None
    seen: list[int] | None
    opened: list[int] | None
    widened_at: datetime | None
    generation: str
    pulled: list[int] | None
    tags: list[str] | None
    open_ids: list[int] | None
    only_postgres: bool


def _sources_in(row: _SourcesRow | _OpenedRow) -> Sources:
    merged = [*(row.pulled or ()), *(row.tags or ())]
    return Sources(row.generation, merged, row.open_ids or (), row.only_postgres)


@Compiled
def _sources() -> Select[*tuple[Any, ...]]:
    return select(*_source_columns(AnyViewer()))


@Compiled
def _opened() -> Select[*tuple[Any, ...]]:
    reader = sessions.select_behind_token().outerjoin(FeedMark, FeedMark.user_id == User.id)
    mark = (FeedMark.seen_id, FeedMark.seen_at, FeedMark.seen, FeedMark.opened, FeedMark.widened_at)
    return reader.add_columns(*mark, *_source_columns(AnyViewer(User.id.expression)))


def _source_columns(viewer: AnyViewer) -> Sequence[ColumnElement[Any]]:
    open_rows = select(OutboxRow.subject_id, OutboxRow.actor_id).where(OutboxRow.job == names.FAN_OUT_POST)
    most_open = bindparam("most_open", type_=Integer)
    work = open_rows.order_by(OutboxRow.id).limit(most_open + 1).cte("work")
    followed = exists().where(TagFollow.user_id == viewer.id, TagFollow.tag == PostTag.tag)
    tagged = exists().where(PostTag.post_id == work.c.subject_id, followed.correlate_except(TagFollow))
    theirs = or_(
        work.c.actor_id == viewer.id, followed_by(viewer.id, work.c.actor_id), tagged.correlate_except(PostTag)
    )
    pulled = (
        select(func.array_agg(AuthorMode.user_id))
        .join(Follow, Follow.followed_id == AuthorMode.user_id)
        .where(Follow.follower_id == viewer.id, AuthorMode.mode == any_(array([BOTH, PULL])))
    )
    tags = select(func.array_agg(TagFollow.tag)).where(TagFollow.user_id == viewer.id)
    backfill = exists().where(OutboxRow.job == names.BACKFILL_FOLLOW, OutboxRow.actor_id == viewer.id)
    too_many = select(func.count() > most_open).select_from(work).scalar_subquery()
    return (
        select(FeedState.generation).scalar_subquery().label("generation"),
        pulled.correlate_except(AuthorMode, Follow).scalar_subquery().label("pulled"),
        tags.correlate_except(TagFollow).scalar_subquery().label("tags"),
        select(func.array_agg(work.c.subject_id))
        .where(theirs)
        .correlate_except(work)
        .scalar_subquery()
        .label("open_ids"),
        or_(too_many, backfill.correlate_except(OutboxRow)).label("only_postgres"),
    )
