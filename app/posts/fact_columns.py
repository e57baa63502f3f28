"""The statement behind `facts`: flat joins around some posts, for one viewer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    ARRAY,
    CTE,
    BigInteger,
    BindParameter,
    ColumnElement,
    CompoundSelect,
    Select,
    any_,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased
from sqlalchemy.sql.selectable import LateralFromClause

from app.accounts.models import User
from app.accounts.standing import holds_sql
from app.core.statements import AnyViewer, is_one_of, present
from app.posts.links.cards import link_in_card
from app.posts.media.cards import images_in_card
from app.posts.models import (
    MENTIONED,
    Bookmark,
    Like,
    MutedConversation,
    Post,
    PostCounters,
    PostImage,
    PostMention,
    PostTag,
    TagFollow,
    WordFilter,
)
from app.social.models import EVERYTHING, REPOSTS, Block, Follow, Mute
from app.social.queries import blocks_between, is_met_by

Ids = BindParameter[str] | ColumnElement[Any]
MAX_LOOKED_THROUGH = 200  # accounts or conversations that a viewer hides, in an array; beyond them an index is quicker

_Author, _Answered, _Named = aliased(User), aliased(User), aliased(User)
_Repost, _TagFollow, _Mute, _Follow = aliased(Post), aliased(TagFollow), aliased(Mute), aliased(Follow)


def select_facts(names: Collection[str], ids: Ids) -> Select[*tuple[Any, ...]]:
    """Select what `Facts` names of some posts, given by an array of ids, as `viewer_id` sees them."""
    viewer = AnyViewer()
    theirs = _of_viewer(viewer)
    follow = _follow(viewer)
    columns = {
        **_post_columns(),
        **_author_columns(),
        **_marks(viewer, theirs),
        "mentioned": _mentioned(viewer),
        "images": _images(ids),
        "link": link_in_card(),
        "answers": _answers(viewer),
        "volume": follow.c.volume,
        "follows_answered": _follows_answered(viewer),
        "is_mentioned": _is_mentioned(viewer),
        **_hidden_columns(viewer, theirs),
    }
    assert columns.keys() == set(names)
    joined = (
        select(*(columns[name].label(name) for name in names))
        .select_from(Post)
        .join(theirs, true())
        .join(_Author, _Author.id == Post.author_id)
        .outerjoin(PostCounters, PostCounters.post_id == Post.id)
        .outerjoin(follow, true())
    )
    return joined.where(is_one_of(Post.id, ids))


Columns = dict[str, ColumnElement[Any]]


def _post_columns() -> Columns:
    said = ("id", "text", "audience", "author_id")
    points = ("thread_id", "reply_to_id", "reply_to_author_id", "quote_of_id", "repost_of_id")
    counted = ("likes", "replies", "reposts", "quotes", "all_reposts")
    return {
        **{name: getattr(Post, name) for name in (*said, *points)},
        **{name: func.coalesce(getattr(PostCounters, name), 0) for name in counted},
        **{f"is_{what}": getattr(Post, f"{what}_at").is_not(None) for what in ("edited", "deleted", "held")},
        "warning": case((holds_sql(Post.marked_until), Post.mark), else_=Post.warning),
        **{f"is_{state}": holds_sql(getattr(Post, f"{state}_until")) for state in ("hidden", "removed")},
    }


def _author_columns() -> Columns:
    return {
        **{name: getattr(_Author, name) for name in ("handle", "name", "avatar", "is_private")},
        **{f"author_is_{state}": holds_sql(getattr(_Author, f"{state}_until")) for state in ("limited", "suspended")},
        "author_is_deleted": _Author.deleted_at.is_not(None),
    }


def _follow(viewer: AnyViewer) -> LateralFromClause:
    """Select the viewer's follow of the author.

    LIMIT keeps Postgres from reading all follows of a viewer who follows thousands into a hash table first.
    """
    volume = select(_Follow.volume).where(_Follow.follower_id == viewer.id, _Follow.followed_id == Post.author_id)
    return volume.limit(1).correlate(Post).lateral()


def _follows_answered(viewer: AnyViewer) -> ColumnElement[bool]:
    """Hold for replies to an account that the viewer follows; nothing is looked up for what answers nobody."""
    answered = (_Follow.follower_id == viewer.id, _Follow.followed_id == Post.reply_to_author_id)
    follow = select(literal(True)).where(*answered)
    return _where(Post.reply_to_author_id.is_not(None), _holds(follow))


def _marks(viewer: AnyViewer, theirs: CTE) -> Columns:
    """Return whether the viewer likes, keeps and has reposted a post.

    Post by post, by the keys: asked for all at once, Postgres may read everything that the viewer ever liked. What
    nobody likes or reposts is not looked up, nor anything for a viewer who keeps nothing.
    """
    liked = (Like.post_id == Post.id, Like.user_id == viewer.id)
    bookmarked = (Bookmark.post_id == Post.id, Bookmark.user_id == viewer.id)
    reposted = (_Repost.repost_of_id == Post.id, _Repost.author_id == viewer.id)
    return {
        "is_liked": _where(PostCounters.likes > 0, _holds(select(literal(True)).where(*liked))),
        "is_bookmarked": _where(theirs.c.keeps_any, _holds(select(literal(True)).where(*bookmarked))),
        "is_reposted": _where(PostCounters.all_reposts > 0, _holds(select(literal(True)).where(*reposted))),
    }


def _images(ids: Ids) -> ColumnElement[Any]:
    """Select the images of a post. Which posts have any is looked up for all of them at once: most have none."""
    with_images = select(func.array_agg(PostImage.post_id)).where(is_one_of(PostImage.post_id, ids)).scalar_subquery()
    return case((Post.id == any_(cast(with_images, ARRAY(BigInteger))), images_in_card(Post.id)))


def _mentioned(viewer: AnyViewer) -> ColumnElement[Any]:
    """Select the handles that the text may link to, but none of a person that the viewer must not meet.

    Most posts name nobody: nothing is looked up for them.
    """
    handles = select(func.string_agg(func.lower(_Named.handle), " "))
    handles = handles.select_from(_Named).join(PostMention, PostMention.user_id == _Named.id)
    met = (PostMention.post_id == Post.id, is_met_by(viewer, _Named))
    return case((Post.text.contains("@"), handles.where(*met).correlate(Post).scalar_subquery()))


def _answers(viewer: AnyViewer) -> ColumnElement[Any]:
    """Select the handle of the author a reply answers, unless the viewer must not meet them."""
    handle = select(_Answered.handle).where(_Answered.id == Post.reply_to_author_id, is_met_by(viewer, _Answered))
    return case((Post.reply_to_id.is_not(None), handle.correlate(Post).scalar_subquery()))


def _is_mentioned(viewer: AnyViewer) -> ColumnElement[bool]:
    mention = aliased(PostMention)
    named = _holds(select(literal(True)).where(mention.post_id == Post.id, mention.user_id == viewer.id))
    return case((Post.audience == MENTIONED, named), else_=false())


def _hidden_columns(viewer: AnyViewer, theirs: CTE) -> Columns:
    """Return what the viewer hides."""
    scope = select(_Mute.scope).where(_Mute.muted_id == Post.author_id, *_mutes_of(viewer))
    mute = case(
        (_are_many(theirs.c.muted) | _are_many(theirs.c.reposts_muted), scope.correlate(Post).scalar_subquery()),
        (Post.author_id == any_(theirs.c.muted), EVERYTHING),
        (Post.author_id == any_(theirs.c.reposts_muted), REPOSTS),
    )
    conversation = func.coalesce(Post.thread_id, Post.id)
    this = (MutedConversation.user_id == viewer.id, MutedConversation.thread_id == conversation)
    muted_conversation = _holds(select(literal(True)).select_from(MutedConversation).where(*this))
    followed = exists().where(_TagFollow.user_id == viewer.id, _TagFollow.tag == PostTag.tag)
    tagged = exists().where(PostTag.post_id == Post.id, followed)
    return {
        "follows_tag": _where(theirs.c.follows_tags, tagged.correlate(Post)),
        "is_blocked": _is_among(theirs.c.blocked, Post.author_id, blocks_between(viewer.id, Post.author_id)),
        "mute": mute,
        "conversation_muted": _is_among(theirs.c.conversations, conversation, muted_conversation),
        "has_filters": theirs.c.has_filters,
    }


def _of_viewer(viewer: AnyViewer) -> CTE:
    """Select, once for all posts, what the viewer has at all, and whom and what they hide, up to a bound.

    A viewer who hides nothing of a kind, or little, is not asked about each post.
    """
    blocked = union_all(
        select(Block.blocked_id).where(Block.blocker_id == viewer.id),
        select(Block.blocker_id).where(Block.blocked_id == viewer.id),
    )
    mutes = select(_Mute.muted_id).where(*_mutes_of(viewer))
    return (
        select(
            _some_of(blocked).label("blocked"),
            _some_of(mutes.where(_Mute.scope == EVERYTHING)).label("muted"),
            _some_of(mutes.where(_Mute.scope == REPOSTS)).label("reposts_muted"),
            _some_of(select(MutedConversation.thread_id).where(MutedConversation.user_id == viewer.id)).label(
                "conversations"
            ),
            _has(TagFollow.user_id == viewer.id, TagFollow.tag).label("follows_tags"),
            _has(Bookmark.user_id == viewer.id, Bookmark.id.desc()).label("keeps_any"),
            select(func.count() > 0).where(WordFilter.user_id == viewer.id).scalar_subquery().label("has_filters"),
        )
        .cte("of_viewer")
        .prefix_with("MATERIALIZED")
    )


def _mutes_of(viewer: AnyViewer) -> tuple[ColumnElement[bool], ...]:
    return (_Mute.muter_id == viewer.id, or_(_Mute.until.is_(None), _Mute.until > present()))


def _some_of(ids: Select[int] | CompoundSelect[int]) -> ColumnElement[Any]:
    """Select ids as an array, one more than are looked through; none is NULL."""
    some = ids.limit(MAX_LOOKED_THROUGH + 1).subquery()
    return select(func.array_agg(some.c[0])).scalar_subquery()


def _are_many(some: ColumnElement[Any]) -> ColumnElement[bool]:
    return func.coalesce(func.cardinality(some), 0) > MAX_LOOKED_THROUGH


def _is_among(
    some: ColumnElement[Any], value: ColumnElement[int] | InstrumentedAttribute[int], otherwise: ColumnElement[bool]
) -> ColumnElement[bool]:
    """Hold where a value is one of the viewer's; where these are many it is looked up by the index."""
    return case((some.is_(None), false()), (_are_many(some), otherwise), else_=value == any_(some))


def _has(is_theirs: ColumnElement[bool], order: ColumnElement[Any] | InstrumentedAttribute[Any]) -> ColumnElement[bool]:
    """Hold where the viewer has any such row: looked up once for the whole statement.

    In the order of an index: of an EXISTS Postgres thinks that a scan of the table finds a row soon, but for a viewer
    who blocks nobody it reads all blocks of the site.
    """
    first = select(literal(True)).where(is_theirs).order_by(order).limit(1)
    return func.coalesce(first.scalar_subquery(), false())


def _holds(found: Select[bool]) -> ColumnElement[bool]:
    return func.coalesce(found.limit(1).correlate(Post).scalar_subquery(), false())


def _where(any_at_all: ColumnElement[bool], holds: ColumnElement[bool]) -> ColumnElement[bool]:
    return case((any_at_all, holds), else_=false())
