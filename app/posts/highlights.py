"""Highlights: the posts of an author's day that moved most people."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, Text, and_, bindparam, func, or_, select
from sqlalchemy.orm import aliased

from app.accounts.standing import holds_sql
from app.core.ids import SEQUENCE_BITS
from app.core.statements import Compiled, as_array, is_one_of
from app.posts.models import MENTIONED, Post, PostCounters, PostRow

DAY = 24 * 60 * 60 * 1000 << SEQUENCE_BITS  # as a distance between ids
HIGHLIGHTS_A_DAY = 3

# Aliases keep their own rows inside a statement that selects from the same table.
_Rival, _Counters = aliased(Post), aliased(PostCounters)


def highlights_among(ids: Sequence[int]) -> list[int]:
    """Return which of the posts are highlights."""
    return [row[0] for row in _highlights.rows(ids=as_array(ids))]


@Compiled
def _highlights() -> Select[int]:
    return select(Post.id).where(is_one_of(Post.id, bindparam("ids", type_=Text)), is_highlight())


def is_highlight(post: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the posts of an author's day (by UTC) with most engagement; of equal ones for the older.

    So a new post takes no place of another one, until people like it more.
    """
    start = post.id - post.id % DAY
    better = or_(
        engagement(_Rival) > engagement(post), and_(engagement(_Rival) == engagement(post), _Rival.id < post.id)
    )
    rivals = select(func.count()).where(
        _Rival.author_id == post.author_id,
        _Rival.deleted_at.is_(None),
        ~holds_sql(_Rival.hidden_until),
        ~holds_sql(_Rival.removed_until),
        _Rival.id >= start,
        _Rival.id < start + DAY,
        _Rival.repost_of_id.is_(None),
        _Rival.reply_to_id.is_(None),
        _Rival.audience != MENTIONED,
        better,
    )
    number = rivals.correlate_except(_Rival).scalar_subquery()
    is_post = and_(post.repost_of_id.is_(None), post.reply_to_id.is_(None))
    return and_(is_post, or_(post.audience == MENTIONED, number < HIGHLIGHTS_A_DAY))


def engagement(post: PostRow) -> ColumnElement[int]:
    """Select how many liked, reposted or answered a post."""
    counted = _Counters.likes + _Counters.reposts + _Counters.replies
    return func.coalesce(
        select(counted).where(_Counters.post_id == post.id).correlate_except(_Counters).scalar_subquery(), 0
    )
