"""Why an entry is in a home: it is the reader's own, by an account they follow at its volume, or under a tag."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, any_, exists, false, func, literal, or_, select
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.accounts.reader import Reader, zone_of
from app.core import ids, times
from app.core.statements import AnyViewer
from app.extensions import db
from app.posts.clauses import AuthorRow, Clause, Finding
from app.posts.facts import Facts
from app.posts.highlights import is_highlight
from app.posts.models import MENTIONED, Post, PostRow, PostTag, TagFollow, Viewer
from app.social.models import ALL, ALL_REPLIES, HIGHLIGHTS, NO_REPLIES, NO_REPOSTS, Follow

# Aliases keep their own rows inside a statement that selects from the same table.
_Follow, _Tag, _TagFollow = aliased(Follow), aliased(PostTag), aliased(TagFollow)


def follows_at_volume(entry: Facts, reader: Reader) -> bool:
    """Decide whether the reader follows the author at a volume at which they get this entry."""
    if entry.volume is None:
        return False
    if entry.reply_to_author_id == reader.id or entry.audience == MENTIONED:  # who is spoken to hears it
        return True
    match entry.volume:
        case "no_replies":  # how an author goes on is no reply to anybody
            return entry.reply_to_id is None or entry.reply_to_author_id == entry.author_id
        case "no_reposts":
            return entry.repost_of_id is None
        case "highlights":
            return entry.is_highlight
    return True


def follows_author(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries by accounts that the reader follows, at the volume at which they do."""
    at_volume = or_(
        _Follow.volume == any_(array([ALL_REPLIES, ALL])),
        entry.reply_to_author_id == viewer.id,
        entry.audience == MENTIONED,
        and_(
            _Follow.volume == NO_REPLIES,
            or_(entry.reply_to_id.is_(None), entry.reply_to_author_id == entry.author_id),
        ),
        and_(_Follow.volume == NO_REPOSTS, entry.repost_of_id.is_(None)),
        and_(_Follow.volume == HIGHLIGHTS, is_highlight(entry)),
    )
    follow = select(literal(True)).where(_Follow.follower_id == viewer.id, _Follow.followed_id == entry.author_id)
    # Not EXISTS, which Postgres would answer by reading all follows of the viewer into a table first.
    return func.coalesce(follow.where(at_volume).limit(1).scalar_subquery(), false())


def follows_tag(viewer: AnyViewer, entry: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the entries under a tag that the reader follows."""
    followed = exists().where(_TagFollow.user_id == viewer.id, _TagFollow.tag == _Tag.tag)
    return exists().where(_Tag.post_id == entry.id, followed)


def _has_none(entry: Facts, reader: Reader | None) -> bool:
    assert reader is not None
    return not (entry.author_id == reader.id or entry.follows_tag or follows_at_volume(entry, reader))


def _has_none_sql(viewer: Viewer, entry: PostRow, author: AuthorRow) -> ColumnElement[bool]:
    assert isinstance(viewer, AnyViewer)
    return ~or_(entry.author_id == viewer.id, follows_author(viewer, entry), follows_tag(viewer, entry))


def _words(entry: Facts, reader: User) -> Iterator[Finding]:
    if entry.author_id == reader.id:
        what, told = ("repost", "You reposted it.") if entry.repost_of_id else ("post", "It’s your own post.")
        yield Finding("who", f"it is the reader's own {what}", True, told)
        return
    yield _follow_words(entry, reader)
    yield from _tag_words(entry, reader)
    if entry.volume is not None and entry.volume != ALL:
        yield _volume_words(entry, reader)


def _follow_words(entry: Facts, reader: User) -> Finding:
    by = f"@{entry.handle}"
    follow = db.session.get(Follow, (reader.id, entry.author_id))
    if follow is None:
        decides = None if entry.follows_tag else False
        return Finding("who", f"@{reader.handle} does not follow {by}", decides, f"You don’t follow {by}.")
    since = ids.time_of(follow.id)
    says = f"@{reader.handle} has followed {by} since {times.in_full(since, None)}"
    told = f"You’ve followed {by} since {times.day(since, zone_of(reader))}."
    return Finding("who", says, True, told)


def _tag_words(entry: Facts, reader: User) -> Iterator[Finding]:
    followed = select(TagFollow).join(PostTag, PostTag.tag == TagFollow.tag)
    followed = followed.where(TagFollow.user_id == reader.id, PostTag.post_id == entry.id)
    for tag in db.session.scalars(followed.order_by(TagFollow.tag)):
        says = f"@{reader.handle} has followed #{tag.tag} since {times.in_full(tag.followed_at, None)}"
        told = f"You’ve followed #{tag.tag} since {times.day(tag.followed_at, zone_of(reader))}."
        yield Finding("tag", says, True, told)


def _volume_words(entry: Facts, reader: User) -> Finding:
    by, passes = f"@{entry.handle}", follows_at_volume(entry, reader)
    chose = {
        ALL_REPLIES: f"You chose to see all replies by {by}",
        NO_REPLIES: f"You chose to hide replies to others by {by}",
        NO_REPOSTS: f"You chose to hide reposts by {by}",
        HIGHLIGHTS: f"You chose to see only highlights from {by}",
    }[entry.volume or ALL]
    this = "this is one" if passes == (entry.volume == HIGHLIGHTS) else "this isn’t one"
    if entry.volume == ALL_REPLIES:
        this = "this is one" if entry.reply_to_id else "this isn’t one"
    elif entry.reply_to_author_id == reader.id:
        this = "replies to you are always shown"
    elif entry.audience == MENTIONED:
        this = "posts only for people they mention are always shown"
    elif entry.volume == NO_REPLIES and entry.reply_to_author_id == entry.author_id:
        this = "this one continues their own thread"
    decides = None if not passes and entry.follows_tag else passes
    says = f"@{reader.handle} follows {by} at volume {entry.volume}: {this}"
    return Finding("volume", says, decides, f"{chose}; {this}.")


REASON = Clause("reason", _has_none, _has_none_sql, _words)
