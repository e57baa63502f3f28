"""Count again what the triggers counted, and report where they differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.models import User, UserCounters
from app.extensions import db
from app.posts.models import EVERYONE, MENTIONED, Like, Post, PostCounters
from app.social.models import Follow

SLICE = 500

# Which replies, reposts and quotes count: those that everybody may see. The triggers say the same.
# What a moderator hid or suspended counts again when that is over and `moderation.actions` has noted it.
_FEW_READ = or_(User.is_private, User.limited_until.is_not(None), User.suspended_until.is_not(None))
_BY_CLOSED = exists().where(User.id == Post.author_id, _FEW_READ)
_IS_THERE = (Post.deleted_at.is_(None), Post.hidden_until.is_(None), Post.removed_until.is_(None))
_COUNTS = (*_IS_THERE, Post.audience == EVERYONE, ~_BY_CLOSED)
# Which posts count among their author's: those that are not between a few.
_POSTS = (*_IS_THERE, Post.repost_of_id.is_(None), Post.audience != MENTIONED)


def _is_suspended(account_id: InstrumentedAttribute[int]) -> ColumnElement[bool]:
    return exists().where(User.id == account_id, User.suspended_until.is_not(None))


@dataclass(frozen=True)
class Drift:
    """A counter that did not say what the rows say."""

    of: str  # account or post, with its id
    counter: str
    stored: int
    counted: int


def recount() -> Iterator[Drift]:
    """Set every counter to what the rows say, slice by slice, and yield those that were wrong. Commits each slice.

    The counter rows are locked before the rows are counted: a transaction that changes them meanwhile waits with the
    counter, and adds to the right number afterwards.
    """
    after = 0
    while user_ids := _lock_slice(after):
        yield from _recount_slice(user_ids)
        db.session.commit()
        after = user_ids[-1]
    yield from _recount_posts()


def _recount_posts() -> Iterator[Drift]:
    """Do the same for posts. A like of a post that has no counter yet makes one, and waits for nothing."""
    after = 0
    while post_ids := _lock_posts(after):
        counts = {
            "likes": _count(Like.post_id, post_ids, ~_is_suspended(Like.user_id)),
            "replies": _count(Post.reply_to_id, post_ids, *_COUNTS),
            "reposts": _count(Post.repost_of_id, post_ids, *_COUNTS),
            "quotes": _count(Post.quote_of_id, post_ids, *_COUNTS),
            "all_reposts": _count(Post.repost_of_id, post_ids, *_IS_THERE),
        }
        stored = select(PostCounters).where(PostCounters.post_id.in_(post_ids))
        for row in db.session.scalars(stored.execution_options(populate_existing=True)):
            yield from _put_right(row, f"post {row.post_id}", row.post_id, counts)
        db.session.commit()
        after = post_ids[-1]


def _lock_posts(after: int) -> list[int]:
    rows = select(PostCounters.post_id).where(PostCounters.post_id > after)
    return list(db.session.scalars(rows.order_by(PostCounters.post_id).limit(SLICE).with_for_update()))


def _lock_slice(after: int) -> list[int]:
    rows = select(UserCounters.user_id).where(UserCounters.user_id > after)
    return list(db.session.scalars(rows.order_by(UserCounters.user_id).limit(SLICE).with_for_update()))


def _recount_slice(user_ids: list[int]) -> Iterator[Drift]:
    counts = {
        "followers": _count(Follow.followed_id, user_ids, ~_is_suspended(Follow.follower_id)),
        "following": _count(Follow.follower_id, user_ids, ~_is_suspended(Follow.followed_id)),
        "posts": _count(Post.author_id, user_ids, *_POSTS),
    }
    stored = select(UserCounters).where(UserCounters.user_id.in_(user_ids)).execution_options(populate_existing=True)
    for row in db.session.scalars(stored.order_by(UserCounters.user_id)):
        yield from _put_right(row, f"account {row.user_id}", row.user_id, counts)


def _put_right(
    row: PostCounters | UserCounters, of: str, row_id: int, counts: dict[str, dict[int, int]]
) -> Iterator[Drift]:
    for counter, counted in counts.items():
        before, now = getattr(row, counter), counted.get(row_id, 0)
        if before != now:
            setattr(row, counter, now)
            yield Drift(of, counter, before, now)


def _count(
    column: InstrumentedAttribute[int] | InstrumentedAttribute[int | None],
    row_ids: list[int],
    *where: ColumnElement[bool],
) -> dict[int, int]:
    rows = select(column, func.count()).where(column.in_(row_ids), *where).group_by(column)
    return {row[0]: row[1] for row in db.session.execute(rows) if row[0] is not None}
