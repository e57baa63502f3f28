"""What cards show, as one statement for any number of entries; `cards.to_cards` understands the rows."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, Text, and_, case, cast, exists, false, func, null, or_, select
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core.statements import AnyViewer
from app.posts.filters.matching import filter_that_matches, is_filtered_by
from app.posts.media.cards import images_in_card
from app.posts.models import FOLD, HIDE, Bookmark, Like, Post, PostCounters, PostMention, PostRow, Viewer
from app.posts.visibility import one_visible_to, shown_to, visible_to
from app.social.models import ALL, NO_REPLIES, REPOSTS, Follow
from app.social.queries import blocks_between, muted_by

COUNTED_REPOSTERS = 100

# The entry is `Post`; what its card shows is the post itself or, of a repost, the post that it points to.
Shown = aliased(Post, name="shown")
_Quoted, _QuotedAuthor = aliased(Post, name="quoted"), aliased(User, name="quoted_author")
_Repost, _Reposter = aliased(Post, name="repost"), aliased(User, name="reposter")
_Answered, _Follow = aliased(User, name="answered"), aliased(Follow)


def select_cards(viewer: Viewer, *, muted_too: bool = False) -> Select[*tuple[Any, ...]]:
    """Select what cards show, of the entries that the viewer may see; `to_cards` understands the rows."""
    cards = _select_cards(viewer, in_home=False, muted_too=muted_too)
    return cards.where(visible_to(viewer, muted_too=muted_too))


def select_home_cards(viewer: AnyViewer, found: Select[int]) -> Select[*tuple[Any, ...]]:
    """Select what the cards of a home feed show, the newest first; `found` selects ids of entries that may be seen.

    Repeats are left out there, so a card names whoever else of those one follows reposted it. What is found is found
    first: Postgres would plan the look-ups around what it takes the filters to cost.
    """
    ids = found.cte("found").prefix_with("MATERIALIZED")
    return _select_cards(viewer, in_home=True).join(ids, ids.c.id == Post.id).order_by(Post.id.desc())


def _select_cards(viewer: Viewer, *, in_home: bool, muted_too: bool = False) -> Select[*tuple[Any, ...]]:
    columns = [
        Post.id,
        Shown.id,
        Shown.text,
        Shown.warning,
        Shown.audience,
        Shown.edited_at.is_not(None),
        User.id,
        User.handle,
        User.name,
        User.avatar,
        User.is_private,
        func.coalesce(PostCounters.likes, 0),
        func.coalesce(PostCounters.replies, 0),
        func.coalesce(PostCounters.reposts, 0),
        _mentioned(viewer),
        func.coalesce(Shown.thread_id, Shown.id),
        images_in_card(Shown.id),
        Shown.reply_to_id,
        _answered(viewer),
        Shown.quote_of_id,
        _quoted(viewer),
        _reposters(viewer if in_home else None),
        *_marks(viewer),
        _folded(viewer, Shown, muted_too=muted_too),
    ]
    shown = select(*columns).select_from(Post).join(Shown, Shown.id == func.coalesce(Post.repost_of_id, Post.id))
    shown = shown.join(User, User.id == Shown.author_id)
    return shown.outerjoin(PostCounters, PostCounters.post_id == Shown.id)


def _mentioned(viewer: Viewer) -> ColumnElement[str]:
    """Select the handles that the text may link to, but none of somebody whom the viewer must not meet.

    Most posts name nobody: nothing is looked up for them.
    """
    handles = (
        select(func.string_agg(func.lower(_Answered.handle), " "))
        .select_from(_Answered)
        .join(PostMention, PostMention.user_id == _Answered.id)
        .where(PostMention.post_id == Shown.id, _Answered.deleted_at.is_(None))
    )
    if viewer is not None:
        handles = handles.where(~blocks_between(viewer.id, _Answered.id))
    return case((Shown.text.contains("@"), handles.scalar_subquery()))


def _answered(viewer: Viewer) -> ColumnElement[str]:
    """Select the handle of whom a reply answers, unless it is somebody whom the viewer must not meet."""
    there = (_Answered.id == Shown.reply_to_author_id, _Answered.deleted_at.is_(None))
    handle = select(_Answered.handle).where(*there)
    if viewer is not None:
        handle = handle.where(~blocks_between(viewer.id, _Answered.id))
    return case((Shown.reply_to_id.is_not(None), handle.scalar_subquery()))


def _quoted(viewer: Viewer) -> ColumnElement[str]:
    """Select a quoted post as JSON, if the viewer may see it."""
    author = _QuotedAuthor
    fields = [
        *(_Quoted.id, _Quoted.text, _Quoted.warning, images_in_card(_Quoted.id), _Quoted.quote_of_id.is_not(None)),
        _folded(viewer, _Quoted),
        *(author.id, author.handle, author.name, author.avatar, author.is_private),
    ]
    quoted = select(cast(func.json_build_array(*fields), Text)).select_from(_Quoted)
    quoted = quoted.join(author, author.id == _Quoted.author_id)
    quoted = quoted.where(_Quoted.id == Shown.quote_of_id, one_visible_to(viewer, _Quoted))
    return case((Shown.quote_of_id.is_not(None), quoted.scalar_subquery()))


def _reposters(viewer: Viewer) -> ColumnElement[str]:
    """Select who reposted a post, as JSON: who brought this entry, then others whom the viewer follows, oldest first.

    Somebody whose reposts the viewer does not want is not named either.
    """
    this = _Repost.id == Post.id
    handle: ColumnElement[Any] = _Reposter.handle.expression
    wanted: ColumnElement[bool] = this
    if viewer is not None:
        handle = case((_Reposter.id == viewer.id, null()), else_=handle)
        follows = exists().where(
            _Follow.follower_id == viewer.id,
            _Follow.followed_id == _Repost.author_id,
            or_(_Follow.volume == ALL, _Follow.volume == NO_REPLIES),
        )
        shown = and_(shown_to(viewer, _Repost), ~muted_by(viewer.id, _Repost.author_id, REPOSTS))
        wanted = or_(this, _Repost.author_id == viewer.id, and_(follows, shown))
    some = select(handle.label("handle"), _Reposter.name.label("name")).select_from(_Repost)
    some = some.join(_Reposter, _Reposter.id == _Repost.author_id)
    some = some.where(_Repost.repost_of_id == Shown.id, wanted)
    reposters = some.order_by(this.desc(), _Repost.id).limit(COUNTED_REPOSTERS).correlate(Post, Shown).subquery("some")
    both = func.json_build_array(reposters.c.handle, reposters.c.name)
    return case((PostCounters.reposts > 0, select(cast(func.json_agg(both), Text)).scalar_subquery()))


def _marks(viewer: Viewer) -> tuple[ColumnElement[Any], ...]:
    """Return whether the viewer likes a post, keeps it, and has reposted it."""
    if viewer is None:
        return false(), false(), false()
    return (
        exists().where(Like.post_id == Shown.id, Like.user_id == viewer.id).correlate(Shown),
        exists().where(Bookmark.post_id == Shown.id, Bookmark.user_id == viewer.id).correlate(Shown),
        exists().where(_Repost.repost_of_id == Shown.id, _Repost.author_id == viewer.id).correlate(Shown),
    )


def _folded(viewer: Viewer, post: PostRow, *, muted_too: bool = False) -> ColumnElement[Any]:
    """Select the phrase of the filter that folds a post; where hidden ones are shown all the same, they are folded."""
    if viewer is None:
        return null()
    actions = (FOLD, HIDE) if muted_too else (FOLD,)
    phrase = filter_that_matches(viewer, post, *actions).correlate(post).scalar_subquery()
    return case((and_(post.author_id != viewer.id, is_filtered_by(viewer, post, *actions)), phrase))
