"""Read posts. Every list of posts starts from `visible_to`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Select, and_, exists, select, true
from sqlalchemy.orm import aliased

from app.accounts.models import User
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer
from app.extensions import db
from app.posts.models import Bookmark, Like, Post, PostTag
from app.social.queries import (
    AccountId,
    Person,
    blocks_between,
    listable_to,
    muted_by,
    people_page,
    select_people,
)

# An alias, so that the predicate keeps its own row inside a statement that joins the author as well.
_Author = aliased(User)


def visible_to(viewer: User | AnyViewer | None, *, muted_too: bool = False) -> ColumnElement[bool]:
    """Hold for the posts that a viewer may see: the only place that knows.

    `muted_too` is for pages that name the author (profile, permalink): whoever goes there asked for that person.
    """
    return and_(Post.deleted_at.is_(None), author_visible_to(viewer, Post.author_id, muted_too=muted_too))


def author_visible_to(
    viewer: User | AnyViewer | None, author_id: AccountId, *, muted_too: bool = False
) -> ColumnElement[bool]:
    """Hold for the authors of whom a viewer may see anything: the half of `visible_to` that all their posts share."""
    here = exists().where(_Author.id == author_id, _Author.deleted_at.is_(None))
    if viewer is None:
        return here
    muted = true() if muted_too else ~muted_by(viewer.id, author_id)
    return and_(here, ~blocks_between(viewer.id, author_id), muted)


def post_by_id(post_id: int) -> Post | None:
    """Return a post whoever may see it, with its author: for deciding between 404 and 410."""
    return db.session.get(Post, post_id)


def ids_page(posts: Select[int], *, before: int | None, size: int = PAGE_SIZE) -> tuple[Sequence[int], int | None]:
    """Return the newest ids of a selection below `before`, and where the next page starts."""
    if before is not None:
        posts = posts.where(Post.id < before)
    found = db.session.scalars(posts.order_by(Post.id.desc()).limit(size + 1)).all()
    return cut(found, size, key=lambda post_id: post_id)


def posts_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the user timeline: an account's posts, the newest first."""
    theirs = select(Post.id).where(Post.author_id == author.id, visible_to(viewer, muted_too=True))
    return ids_page(theirs, before=before)


def posts_tagged(tag: str, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts under a tag."""
    tagged = select(Post.id).join(PostTag, and_(PostTag.post_id == Post.id, PostTag.tag == tag))
    return ids_page(tagged.where(visible_to(viewer)), before=before)


def latest_posts(*, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return everybody's posts."""
    return ids_page(select(Post.id).where(visible_to(viewer)), before=before)


def bookmarked_by(viewer: User, *, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts in the viewer's bookmarks, the last bookmarked first."""
    kept = select(Bookmark.id, Bookmark.post_id).join(Post, Post.id == Bookmark.post_id)
    kept = kept.where(Bookmark.user_id == viewer.id, visible_to(viewer, muted_too=True))
    if before is not None:
        kept = kept.where(Bookmark.id < before)
    rows = db.session.execute(kept.order_by(Bookmark.id.desc()).limit(PAGE_SIZE + 1)).all()
    page, next_before = cut(rows, key=lambda row: row[0])
    return [row[1] for row in page], next_before


def likers_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who likes a post, the last first."""
    people = select_people(viewer).join(Like, Like.user_id == User.id)
    return people_page(
        people.where(Like.post_id == post.id, listable_to(viewer)), Like.id, before=before, viewer=viewer
    )
