"""Like, bookmark and repost posts. Doing a thing twice is the same as doing it once."""

from __future__ import annotations

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core.errors import NotAllowed
from app.core.statements import rows_changed
from app.extensions import db
from app.posts import policy
from app.posts.locking import lock_posts
from app.posts.models import Bookmark, Like, Post


def like(post: Post, *, by: User) -> None:
    """Let everybody who sees a post know that a reader likes it."""
    lock_posts(post)
    if rows_changed(insert_or_ignore(Like).values(post_id=post.id, user_id=by.id).on_conflict_do_nothing()):
        activity.record(verbs.POST_LIKED, actor_id=by.id, subject_id=post.id)


def unlike(post_id: int, *, by: User) -> None:
    """Take a like back, also from a post that one can no longer see: what is undone needs no permission."""
    if rows_changed(delete(Like).where(Like.post_id == post_id, Like.user_id == by.id)):
        activity.record(verbs.POST_UNLIKED, actor_id=by.id, subject_id=post_id)


def bookmark(post: Post, *, by: User, place: int | None = None) -> None:
    """Put a post into a reader's bookmarks: on top, or back to a place that it had.

    Not recorded: what people keep for themselves is nobody's history.
    """
    lock_posts(post)
    values = {"post_id": post.id, "user_id": by.id, **({"id": place} if place else {})}
    rows_changed(insert_or_ignore(Bookmark).values(values).on_conflict_do_nothing())


def remove_bookmark(post_id: int, *, by: User) -> int | None:
    """Take a post out of a reader's bookmarks and return its place among them, if it was there."""
    theirs = delete(Bookmark).where(Bookmark.post_id == post_id, Bookmark.user_id == by.id)
    return db.session.scalar(theirs.returning(Bookmark.id))


def repost(post: Post, *, by: User) -> None:
    """Hand a post on to one's followers, as an entry of its own that points to it."""
    if not policy.can_hand_on(by, post):
        raise NotAllowed("This post isn’t public, so it can’t be reposted.")
    lock_posts(post)
    entry = insert_or_ignore(Post).values(author_id=by.id, repost_of_id=post.id, text="").on_conflict_do_nothing()
    entry_id = db.session.scalar(entry.returning(Post.id))
    if entry_id is not None:
        activity.record(verbs.POST_REPOSTED, actor_id=by.id, subject_id=entry_id, details={"post": post.id})


def undo_repost(post_id: int, *, by: User) -> int | None:
    """Take a repost back and return its entry, if there was one.

    Its row is gone for good; whatever window still holds it shows nothing of it.
    """
    theirs = delete(Post).where(Post.repost_of_id == post_id, Post.author_id == by.id)
    entry_id = db.session.scalar(theirs.returning(Post.id))
    if entry_id is not None:
        activity.record(verbs.POST_UNREPOSTED, actor_id=by.id, subject_id=post_id)
    return entry_id
