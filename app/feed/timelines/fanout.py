"""Write timelines: push entries to followers, backfill a follow, throw homes away when an author is demoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from redis import Redis
from sqlalchemy import ARRAY, BigInteger, Integer, Select, Text, bindparam, cast, exists, func, literal, select, update
from sqlalchemy.orm import aliased

from app.core.redis import Command
from app.core.statements import Compiled, as_array, rows_changed
from app.extensions import db, redis
from app.feed.models import BOTH, PULL, PUSH, AuthorMode, FeedMark
from app.feed.timelines import generation, transport
from app.feed.timelines import keys as timeline
from app.feed.timelines.build import newest_by
from app.outbox.rows import State
from app.posts.models import Post, PostTag
from app.social.models import Follow

SLICE = 10_000  # see docs/performance.md
SLICE_IN_A_BATCH = 1000

_Later = aliased(Follow)


@dataclass(frozen=True)
class Delivery:
    """A slice of one post's way: to which followers, and from where to go on."""

    post_id: int
    author_id: int
    tags: Sequence[str]
    homes: Sequence[int]
    is_first: bool
    next_state: State | None

    def commands(self, now: str) -> list[Command]:
        """Return what puts the post into the homes; its author's and tags' windows and the author's home come first."""
        first = timeline.push_sources(now, [self.author_id, *self.tags], [self.post_id]) if self.is_first else ()
        homes = [self.author_id, *self.homes] if self.is_first else self.homes
        return [*first, *timeline.push_home(now, homes, [self.post_id])]


def plan(wanted: Sequence[tuple[int, State]]) -> list[Delivery | None]:
    """Plan a slice of each post's way to its author's followers, all in one statement; None for a post that is gone.

    The mode is read here, with the followers, and never from a process's memory.
    """
    after = [state.get("after", 0) for _, state in wanted]
    size = SLICE if len(wanted) == 1 else min(SLICE, SLICE_IN_A_BATCH)
    posts = as_array([post_id for post_id, _ in wanted])
    slices = {each.place: each for each in _slices.rows_as(_Slice, posts=posts, after=as_array(after), size=size)}
    return [
        _delivery(post_id, after[place], slices[place + 1]) if place + 1 in slices else None
        for place, (post_id, _) in enumerate(wanted)
    ]


class _Slice(NamedTuple):
    """Some followers of the author of the post that is wanted in this place, counted from 1."""

    place: int
    author_id: int
    tags: list[str] | None
    followers: list[int] | None
    last: int | None  # of the follows; None where there are none
    more: bool


def _delivery(post_id: int, after: int, found: _Slice) -> Delivery:
    return Delivery(
        post_id=post_id,
        author_id=found.author_id,
        tags=found.tags or [],
        homes=found.followers or [],
        is_first=after == 0,
        next_state={"after": found.last} if found.more and found.last is not None else None,
    )


@Compiled
def _slices() -> Select[*tuple[Any, ...]]:
    ids = [cast(bindparam(name, type_=Text), ARRAY(BigInteger)) for name in ("posts", "after")]
    wanted = func.unnest(*ids).table_valued("post_id", "after", with_ordinality="place", name="wanted")
    wanted = wanted.render_derived()
    pushed = func.coalesce(AuthorMode.mode, PUSH) != PULL
    follower = select(Follow.id, Follow.follower_id).where(Follow.followed_id == Post.author_id, pushed)
    next_few = follower.where(Follow.id > wanted.c.after).order_by(Follow.id).limit(bindparam("size", type_=Integer))
    some = next_few.correlate(Post, AuthorMode, wanted).subquery("some")
    slice_ = select(func.array_agg(some.c.follower_id).label("followers"), func.max(some.c.id).label("last")).lateral(
        "slice"
    )
    more = exists().where(_Later.followed_id == Post.author_id, _Later.id > slice_.c.last)
    tags = select(func.array_agg(PostTag.tag)).where(PostTag.post_id == Post.id).scalar_subquery()
    return (
        select(
            wanted.c.place,
            Post.author_id,
            tags.label("tags"),
            slice_.c.followers,
            slice_.c.last,
            more.label("more"),
        )
        .select_from(wanted)
        .join(Post, Post.id == wanted.c.post_id)
        .outerjoin(AuthorMode, AuthorMode.user_id == Post.author_id)
        .join(slice_, literal(True))
    )


def deliver(deliveries: Sequence[Delivery]) -> None:
    """Write slices into the timelines that exist."""

    def push(client: Redis) -> None:
        now = generation.current()
        transport.send(client, [command for delivery in deliveries for command in delivery.commands(now)])

    redis.uninterrupted(push)


def backfill(*, follower_id: int, author_id: int) -> None:
    """Put the newest entries of an author into a follower's home. Runs after the follow is committed."""

    def push(client: Redis) -> None:
        now = generation.current()
        newest = db.session.scalars(newest_by(author_id)).all()
        if newest:
            transport.send(client, list(timeline.push_home(now, [follower_id], newest)))

    redis.uninterrupted(push)


def note_older_posts(reader_id: int) -> None:
    """Note that posts came into a reader's home that may be older than what they have seen, and that they have not."""
    rows_changed(update(FeedMark).where(FeedMark.user_id == reader_id).values(widened_at=func.now()))


def throw_away_homes(author_id: int, *, change: int, state: State) -> State | None:
    """Delete a slice of an author's followers' homes; they are built again when they are read.

    At the end the author pushes, but only if the mode's change is still that of this demotion.
    """
    followers = followers_of(author_id, after=state.get("after", 0))
    homes = [follower_id for _, follower_id in followers]

    def delete(client: Redis) -> None:
        now = generation.current()
        transport.send(client, list(timeline.delete_homes(now, homes)))

    redis.uninterrupted(delete)
    if len(followers) == SLICE:
        return {"after": followers[-1][0]}
    this_demotion = (AuthorMode.user_id == author_id, AuthorMode.mode == BOTH, AuthorMode.change == change)
    rows_changed(update(AuthorMode).where(*this_demotion).values(mode=PUSH))
    return None


def mode_of(author_id: int) -> str:
    """Return how an author's entries travel, from Postgres: never from a process's memory."""
    mode = db.session.scalar(select(AuthorMode.mode).where(AuthorMode.user_id == author_id))
    return mode or PUSH


def followers_of(author_id: int, *, after: int) -> Sequence[tuple[int, int]]:
    """Return a slice of an author's followers as (id of the follow, follower), in the order they came."""
    slice_ = select(Follow.id, Follow.follower_id).where(Follow.followed_id == author_id, Follow.id > after)
    return [(row[0], row[1]) for row in db.session.execute(slice_.order_by(Follow.id).limit(SLICE))]
