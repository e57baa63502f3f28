"""The statement behind `facts`: flat joins around some posts, for one viewer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    Text,
    any_,
    bindparam,
    case,
    cast,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    true,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased
from sqlalchemy.sql.selectable import LateralFromClause

from app.accounts.models import User
from app.core.statements import AnyViewer, is_one_of, present
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
from app.social.models import Block, Follow, Mute
from app.social.queries import blocks_between

_Author, _Answered, _Named = aliased(User), aliased(User), aliased(User)
_Repost, _TagFollow, _Mute = aliased(Post), aliased(TagFollow), aliased(Mute)


def select_facts(names: Collection[str]) -> Select[*tuple[Any, ...]]:
    """Select what `Facts` names of the posts `ids`, as `viewer_id` sees them."""
    viewer, ids = AnyViewer(), bindparam("ids", type_=Text)
    follow, follow_of_answered = _follow(viewer, Post.author_id), _follow(viewer, Post.reply_to_author_id)
    columns = {
        **_post_columns(),
        **_author_columns(),
        **_marks(viewer),
        "mentioned": _mentioned(viewer),
        "images": _images(ids),
        "answers": _answers(viewer),
        "volume": follow.c.volume,
        "follows_answered": follow_of_answered.c.volume.is_not(None),
        "is_mentioned": _is_mentioned(viewer),
        **_hidden_columns(viewer),
    }
    assert columns.keys() == set(names)
    joined = (
        select(*(columns[name].label(name) for name in names))
        .select_from(Post)
        .join(_Author, _Author.id == Post.author_id)
        .outerjoin(PostCounters, PostCounters.post_id == Post.id)
        .outerjoin(follow, true())
        .outerjoin(follow_of_answered, true())
        .outerjoin(_Answered, _Answered.id == Post.reply_to_author_id)
    )
    return joined.where(is_one_of(Post.id, ids))


Columns = dict[str, ColumnElement[Any]]


def _post_columns() -> Columns:
    said = ("id", "text", "warning", "audience", "author_id")
    points = ("thread_id", "reply_to_id", "reply_to_author_id", "quote_of_id", "repost_of_id")
    counted = ("likes", "replies", "reposts", "quotes")
    return {
        **{name: getattr(Post, name) for name in (*said, *points)},
        **{name: func.coalesce(getattr(PostCounters, name), 0) for name in counted},
        "is_edited": Post.edited_at.is_not(None),
        "is_deleted": Post.deleted_at.is_not(None),
    }


def _author_columns() -> Columns:
    return {
        **{name: getattr(_Author, name) for name in ("handle", "name", "avatar", "is_private")},
        "author_is_deleted": _Author.deleted_at.is_not(None),
    }


def _follow(
    viewer: AnyViewer, account_id: InstrumentedAttribute[int] | InstrumentedAttribute[int | None]
) -> LateralFromClause:
    """Select the viewer's follow of an account.

    LIMIT keeps Postgres from reading all follows of a viewer who follows thousands into a hash table first.
    """
    follow = aliased(Follow)
    volume = select(follow.volume).where(follow.follower_id == viewer.id, follow.followed_id == account_id)
    return volume.limit(1).correlate(Post).lateral()


def _marks(viewer: AnyViewer) -> Columns:
    """Return whether the viewer likes, keeps and has reposted a post.

    Post by post, by the keys: asked for all at once, Postgres may read everything that the viewer ever liked. What
    nobody likes or reposts is not looked up, nor anything for a viewer who keeps nothing.
    """
    liked = (Like.post_id == Post.id, Like.user_id == viewer.id)
    bookmarked = (Bookmark.post_id == Post.id, Bookmark.user_id == viewer.id)
    reposted = (_Repost.repost_of_id == Post.id, _Repost.author_id == viewer.id)
    keeps_any = _has(Bookmark.user_id == viewer.id, Bookmark.id.desc())
    return {
        "is_liked": _where(PostCounters.likes > 0, _holds(select(literal(True)).where(*liked))),
        "is_bookmarked": _where(keeps_any, _holds(select(literal(True)).where(*bookmarked))),
        "is_reposted": _where(PostCounters.reposts > 0, _holds(select(literal(True)).where(*reposted))),
    }


def _images(ids: BindParameter[str]) -> ColumnElement[Any]:
    """Select the images of a post. Which posts have any is looked up for all of them at once: most have none."""
    with_images = select(func.array_agg(PostImage.post_id)).where(is_one_of(PostImage.post_id, ids)).scalar_subquery()
    return case((Post.id == any_(cast(with_images, ARRAY(BigInteger))), images_in_card(Post.id)))


def _mentioned(viewer: AnyViewer) -> ColumnElement[Any]:
    """Select the handles that the text may link to, but none of a person that the viewer must not meet.

    Most posts name nobody: nothing is looked up for them.
    """
    handles = select(func.string_agg(func.lower(_Named.handle), " "))
    handles = handles.select_from(_Named).join(PostMention, PostMention.user_id == _Named.id)
    met = (PostMention.post_id == Post.id, _Named.deleted_at.is_(None), ~blocks_between(viewer.id, _Named.id))
    return case((Post.text.contains("@"), handles.where(*met).correlate(Post).scalar_subquery()))


def _answers(viewer: AnyViewer) -> ColumnElement[Any]:
    """Select the handle of the author a reply answers, unless the viewer must not meet them."""
    unmet = or_(_Answered.deleted_at.is_not(None), blocks_between(viewer.id, _Answered.id))
    return case((Post.reply_to_id.is_(None), null()), (unmet, null()), else_=_Answered.handle)


def _is_mentioned(viewer: AnyViewer) -> ColumnElement[bool]:
    mention = aliased(PostMention)
    named = _holds(select(literal(True)).where(mention.post_id == Post.id, mention.user_id == viewer.id))
    return case((Post.audience == MENTIONED, named), else_=false())


def _hidden_columns(viewer: AnyViewer) -> Columns:
    """Return what the viewer hides; a viewer who hides nothing of a kind is not asked about each post."""
    blocks = or_(
        _has(Block.blocker_id == viewer.id, Block.id.desc()), _has(Block.blocked_id == viewer.id, Block.blocker_id)
    )
    mutes = _has(Mute.muter_id == viewer.id, Mute.id.desc())
    # LIMIT, here and below: an EXISTS Postgres may answer by reading all rows of the viewer into a table first.
    scope = select(_Mute.scope).where(_Mute.muter_id == viewer.id, _Mute.muted_id == Post.author_id)
    scope = scope.where(or_(_Mute.until.is_(None), _Mute.until > present()))
    conversation = func.coalesce(Post.thread_id, Post.id)
    this = (MutedConversation.user_id == viewer.id, MutedConversation.thread_id == conversation)
    muted_conversation = _holds(select(literal(True)).select_from(MutedConversation).where(*this))
    followed = exists().where(_TagFollow.user_id == viewer.id, _TagFollow.tag == PostTag.tag)
    tagged = exists().where(PostTag.post_id == Post.id, followed)
    return {
        "follows_tag": _where(_has(TagFollow.user_id == viewer.id, TagFollow.tag), tagged.correlate(Post)),
        "is_blocked": _where(blocks, blocks_between(viewer.id, Post.author_id)),
        "mute": case((mutes, scope.limit(1).correlate(Post).scalar_subquery())),
        "conversation_muted": _where(
            _has(MutedConversation.user_id == viewer.id, MutedConversation.thread_id), muted_conversation
        ),
        "has_filters": select(func.count() > 0).where(WordFilter.user_id == viewer.id).scalar_subquery(),
    }


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
