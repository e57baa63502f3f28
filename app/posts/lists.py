"""Lists of posts, in pages: profiles, tags, bookmarks, quotes, and the people behind likes and reposts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Select, and_, or_, select

from app.accounts.models import User
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.extensions import db
from app.posts.models import (
    Bookmark,
    Like,
    Post,
    PostImage,
    PostTag,
)
from app.posts.visibility import visible_to
from app.social.queries import (
    Person,
    listable_to,
    people_page,
    select_people,
)


def post_by_id(post_id: int) -> Post | None:
    """Return a post, no matter who may see it, with its author: for deciding between 404 and 410."""
    return db.session.get(Post, post_id)


def ids_page(posts: Select[int], *, before: int | None, size: int = PAGE_SIZE) -> tuple[Sequence[int], int | None]:
    """Return the newest ids of a selection below `before`, and where the next page starts."""
    if before is not None:
        posts = posts.where(Post.id < before)
    found = db.session.scalars(posts.order_by(Post.id.desc()).limit(size + 1)).all()
    return cut(found, size, key=lambda post_id: post_id)


def posts_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account says on its own, the newest first: posts, quotes, reposts, and how they go on."""
    on_their_own = or_(Post.reply_to_id.is_(None), Post.reply_to_author_id == author.id)
    return ids_page(_entries_of(author, viewer).where(on_their_own), before=before)


def replies_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return what an account answered to others."""
    return ids_page(_entries_of(author, viewer).where(Post.reply_to_author_id != author.id), before=before)


def pictures_by(author: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return an account's posts with images."""
    pictured = select(PostImage.post_id).where(PostImage.owner_id == author.id)
    return ids_page(_entries_of(author, viewer).where(Post.id.in_(pictured)), before=before)


def _entries_of(author: User, viewer: User | None) -> Select[int]:
    return select(Post.id).where(Post.author_id == author.id, visible_to(viewer, muted_too=True))


def posts_tagged(tag: str, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts under a tag."""
    tagged = select(Post.id).join(PostTag, and_(PostTag.post_id == Post.id, PostTag.tag == tag))
    return ids_page(tagged.where(visible_to(viewer)), before=before)


def latest_posts(*, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return everybody's posts, without what they answer and repost."""
    posts = select(Post.id).where(Post.reply_to_id.is_(None), Post.repost_of_id.is_(None))
    return ids_page(posts.where(visible_to(viewer)), before=before)


def bookmarked_by(viewer: User, *, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts in the viewer's bookmarks, the last bookmarked first."""
    kept = select(Bookmark.id, Bookmark.post_id).join(Post, Post.id == Bookmark.post_id)
    kept = kept.where(Bookmark.user_id == viewer.id, visible_to(viewer, muted_too=True))
    if before is not None:
        kept = kept.where(Bookmark.id < before)
    rows = db.session.execute(kept.order_by(Bookmark.id.desc()).limit(PAGE_SIZE + 1)).all()
    page, next_before = cut(rows, key=lambda row: row[0])
    return [row[1] for row in page], next_before


def reposter_of(entry_id: int, post: Post, *, viewer: User) -> Person | None:
    """Return who brought an entry for a post, if it is a repost that the viewer may see and not their own."""
    if entry_id > MAX_ID:
        return None
    people = select_people(viewer).join(Post, Post.author_id == User.id).where(User.id != viewer.id)
    people = people.where(Post.id == entry_id, Post.repost_of_id == post.id, visible_to(viewer, muted_too=True))
    found, _ = people_page(people, User.id, before=None, viewer=viewer)
    return found[0] if found else None


def likers_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who likes a post, the last first."""
    people = select_people(viewer).join(Like, Like.user_id == User.id)
    return people_page(
        people.where(Like.post_id == post.id, listable_to(viewer)), Like.id, before=before, viewer=viewer
    )


def reposters_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who reposted a post, the last first."""
    people = select_people(viewer).join(Post, Post.author_id == User.id)
    people = people.where(Post.repost_of_id == post.id, visible_to(viewer, muted_too=True), listable_to(viewer))
    return people_page(people, Post.id.expression, before=before, viewer=viewer)


def quotes_of(post: Post, *, viewer: User | None, before: int | None) -> tuple[Sequence[int], int | None]:
    """Return the posts that quote a post, the newest first."""
    return ids_page(select(Post.id).where(Post.quote_of_id == post.id, visible_to(viewer)), before=before)
