"""The rules of a home feed, as predicates of SQL: they hold at every read, whatever is cached.

An entry is in a home if it has a reason to be there, is not hidden by `visible_to`, and is not a repeat. All rules are
for the statements that are compiled once: `reader(viewer)` gives what these need when they run.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Boolean,
    ColumnElement,
    Select,
    and_,
    bindparam,
    exists,
    false,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core.ids import MAX_ID, SEQUENCE_BITS
from app.core.statements import AnyViewer
from app.posts.models import MENTIONED, Post, PostCounters, PostRow, PostTag, TagFollow
from app.posts.visibility import shown_to, visible_to
from app.social.models import ALL, FEW, NO_REPLIES, NO_REPOSTS, REPOSTS, Follow
from app.social.queries import followed_by, muted_by

HOUR = 60 * 60 * 1000 << SEQUENCE_BITS  # as a distance between ids
DAY = 24 * HOUR
FEW_A_DAY = 3
REPEAT_HOURS = (12, 72, 1_000_000, 0)  # what readers may choose: the third is longer than anything lasts, 0 shows all

# Aliases keep their own rows inside a statement that selects from the same table.
_Follow, _Tag, _TagFollow, _Counters = aliased(Follow), aliased(PostTag), aliased(TagFollow), aliased(PostCounters)
_Earlier, _Own, _Better = aliased(Post), aliased(Post), aliased(Post)


def reader(viewer: User) -> dict[str, Any]:
    """Return the values that the rules need of a reader."""
    span = min(viewer.repeat_hours * HOUR, MAX_ID)
    return {"viewer_id": viewer.id, "repeat_span": span, "hides_own_reposts": viewer.hides_own_reposts}


def in_home_of(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries of a home feed: with a reason to be there, visible, no repeats."""
    return and_(could_be_in_home_of(viewer, entry), visible_to(viewer, entry), ~is_repeat_for(viewer, entry))


def could_be_in_home_of(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries that a home feed is about: one's own, by whom one follows, under a tag that one follows."""
    return and_(
        or_(entry.author_id == viewer.id, follows_author(viewer, entry), follows_tag(viewer, entry)),
        reply_belongs(viewer, entry),
        or_(entry.repost_of_id.is_(None), ~muted_by(viewer.id, entry.author_id, REPOSTS)),
    )


def follows_author(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries by those whom the reader follows, at the volume at which they do."""
    at_volume = or_(
        _Follow.volume == ALL,
        entry.reply_to_author_id == viewer.id,  # whoever is spoken to hears it
        and_(_Follow.volume == NO_REPLIES, entry.reply_to_id.is_(None)),
        and_(_Follow.volume == NO_REPOSTS, entry.repost_of_id.is_(None)),
        and_(_Follow.volume == FEW, is_among_best(entry)),
    )
    follow = select(literal(True)).where(_Follow.follower_id == viewer.id, _Follow.followed_id == entry.author_id)
    # Not EXISTS, which Postgres would answer by reading everybody whom the viewer follows into a table first.
    return func.coalesce(follow.where(at_volume).limit(1).scalar_subquery(), false())


def follows_tag(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries under a tag that the reader follows."""
    followed = exists().where(_TagFollow.user_id == viewer.id, _TagFollow.tag == _Tag.tag)
    return exists().where(_Tag.post_id == entry.id, followed)


def reply_belongs(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for what is no reply, and for replies between people whom the reader follows, to oneself, to the reader."""
    return or_(
        entry.reply_to_id.is_(None),
        entry.author_id == viewer.id,
        entry.reply_to_author_id.in_([entry.author_id, viewer.id]),
        followed_by(viewer.id, entry.reply_to_author_id),
    )


def is_among_best(entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the few posts of an author's day (by UTC) that moved most people; of equal ones the older.

    So a new post takes nobody's place, until people like it more.
    """
    start = entry.id - entry.id % DAY
    better = or_(_moved(_Better) > _moved(entry), and_(_moved(_Better) == _moved(entry), _Better.id < entry.id))
    rivals = select(func.count()).where(
        _Better.author_id == entry.author_id,
        _Better.deleted_at.is_(None),
        _Better.id >= start,
        _Better.id < start + DAY,
        _Better.repost_of_id.is_(None),
        _Better.reply_to_id.is_(None),
        _Better.audience != MENTIONED,
        better,
    )
    number = rivals.correlate_except(_Better).scalar_subquery()  # of this entry, which is outside of the next statement
    is_post = and_(entry.repost_of_id.is_(None), entry.reply_to_id.is_(None))
    return and_(is_post, or_(entry.audience == MENTIONED, number < FEW_A_DAY))


def _moved(entry: PostRow) -> ColumnElement[int]:
    counted = _Counters.likes + _Counters.reposts + _Counters.replies
    return func.coalesce(
        select(counted).where(_Counters.post_id == entry.id).correlate_except(_Counters).scalar_subquery(), 0
    )


def is_repeat_for(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for reposts of what the reader had in their feed already, within the time in which that is a repeat.

    The oldest wins: a new arrival never changes what is on the page. Decided over all entries, never over those at
    hand. That an entry would be a repeat itself does not matter: whatever could be in the feed counts.
    """
    earlier = exists().where(*_is_earlier(viewer, entry))
    own = exists().where(
        _hides_own_reposts(),
        _Own.repost_of_id == entry.repost_of_id,
        _Own.author_id == viewer.id,
    )
    return and_(entry.repost_of_id.is_not(None), or_(earlier, and_(entry.author_id != viewer.id, own)))


def first_entry_before(viewer: AnyViewer, entry: PostRow = Post) -> Select[int]:
    """Select the entry that makes a repost a repeat, the oldest of several."""
    return select(_Earlier.id).where(*_is_earlier(viewer, entry)).order_by(_Earlier.id).limit(1)


def _is_earlier(viewer: AnyViewer, entry: PostRow) -> tuple[ColumnElement[bool], ...]:
    return (
        or_(_Earlier.id == entry.repost_of_id, _Earlier.repost_of_id == entry.repost_of_id),
        _Earlier.id < entry.id,
        _Earlier.id > entry.id - bindparam("repeat_span", type_=BigInteger),
        could_be_in_home_of(viewer, _Earlier),
        shown_to(viewer, _Earlier),
        # What others reposted is hidden where one's own repost is to stand for all of them: it must not hide that one.
        or_(_Earlier.repost_of_id.is_(None), entry.author_id != viewer.id, ~_hides_own_reposts()),
    )


def _hides_own_reposts() -> BindParameter[bool]:
    return bindparam("hides_own_reposts", type_=Boolean)
