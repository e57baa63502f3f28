"""Who may see which post: the only place that knows. Every list of posts starts from `visible_to`."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, case, exists, func, or_
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core.statements import AnyViewer
from app.posts.filters.matching import is_filtered_by
from app.posts.models import (
    EVERYONE,
    HIDE,
    MENTIONED,
    MutedConversation,
    Post,
    PostImage,
    PostMention,
    PostRow,
    Viewer,
)
from app.social.queries import (
    blocks_between,
    followed_by,
    muted_by,
)

# Aliases, so that a predicate keeps its own rows inside a statement that selects from the same table.
_Author, _Target, _Mention, _Image = aliased(User), aliased(Post), aliased(PostMention), aliased(PostImage)


def visible_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see: the only place that knows. A repost is seen where its post is seen.

    `muted_too` is for pages that name the author (profile, permalink): whoever goes there asked for that person.
    """
    reposted = exists().where(_Target.id == post.repost_of_id, one_visible_to(viewer, _Target))
    return and_(
        one_visible_to(viewer, post, muted_too=muted_too),
        or_(post.repost_of_id.is_(None), reposted),
    )


def visible_in_thread(viewer: Viewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for what a viewer sees of a conversation that they opened, and may have muted as a whole."""
    may = one_visible_to(viewer, post, muted_too=True)
    if viewer is None:
        return may
    unwanted = or_(muted_by(viewer.id, post.author_id), is_filtered_by(viewer, post, HIDE))
    return and_(may, or_(post.author_id == viewer.id, ~unwanted))


def standing_in_thread(viewer: Viewer, post: PostRow) -> tuple[ColumnElement[bool], ...]:
    """Return whether a post of a conversation is gone, is one that the viewer chose not to read, and is shown."""
    erased = exists().where(_Author.id == post.author_id, _Author.deleted_at.is_not(None))
    is_gone = or_(post.id.is_(None), post.deleted_at.is_not(None), erased)
    is_shown = visible_in_thread(viewer, post)
    return is_gone, and_(one_visible_to(viewer, post, muted_too=True), ~is_shown), is_shown


def one_visible_to(viewer: Viewer, post: PostRow, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see, of rows that are no reposts."""
    return and_(post.deleted_at.is_(None), shown_to(viewer, post, muted_too=muted_too))


def shown_to(viewer: Viewer, post: PostRow = Post, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see or, if they are deleted, might have seen."""
    here = (_Author.id == post.author_id, _Author.deleted_at.is_(None))
    if viewer is None:
        return exists().where(*here, ~_Author.is_private, post.audience == EVERYONE)
    # About the post outside of both: left alone, SQLAlchemy would ask for a mention in any post at all.
    mentioned = exists().where(_Mention.post_id == post.id, _Mention.user_id == viewer.id).correlate_except(_Mention)
    in_audience = case(
        (post.author_id == viewer.id, True),
        (post.audience == MENTIONED, mentioned),
        (and_(post.audience == EVERYONE, ~_Author.is_private), True),
        else_=followed_by(viewer.id, post.author_id),
    )
    may = and_(exists().where(*here, in_audience), ~blocks_between(viewer.id, post.author_id))
    return may if muted_too else and_(may, or_(post.author_id == viewer.id, ~_unwanted_by(viewer, post)))


def _unwanted_by(viewer: User | AnyViewer, post: PostRow) -> ColumnElement[bool]:
    """Hold for the posts that a viewer chose not to come across: by person, by conversation, by words."""
    return or_(
        muted_by(viewer.id, post.author_id),
        in_muted_conversation(viewer, post),
        is_filtered_by(viewer, post, HIDE),
    )


def in_muted_conversation(viewer: User | AnyViewer, post: PostRow = Post) -> ColumnElement[bool]:
    """Hold for the posts of a conversation that a viewer has muted."""
    conversation = func.coalesce(post.thread_id, post.id)
    return exists().where(MutedConversation.user_id == viewer.id, MutedConversation.thread_id == conversation)
