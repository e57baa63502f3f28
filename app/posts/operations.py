"""Write, delete, like and bookmark posts. Doing a thing twice is the same as doing it once."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.errors import NotAllowed
from app.core.statements import rows_changed
from app.core.text import clean, count_characters, is_blank, mentioned_handles, tags_in
from app.extensions import db
from app.posts import policy
from app.posts.models import Bookmark, Like, Post, PostMention, PostTag

MOST_MENTIONS = 50


class BadText(ValueError):
    """A text that cannot be posted; the message says why, to the person who wrote it."""


def checked_text(text: str, *, longest: int) -> str:
    """Return a text as it is stored, or say why it cannot be."""
    text = clean(text)
    if is_blank(text):
        raise BadText("Write something first.")
    length = count_characters(text)
    if length > longest:
        over = length - longest
        raise BadText(f"This is {over} character{'s' if over > 1 else ''} too long. The limit is {longest}.")
    return text


def publish_post(text: str, *, by: User, longest: int) -> int:
    """Publish a text and return the id of the post."""
    text = checked_text(text, longest=longest)
    mentions, tags = _known_people(text), tags_in(text)
    post_id = db.session.execute(insert(Post).values(author_id=by.id, text=text).returning(Post.id)).scalar_one()
    if mentions:
        db.session.execute(insert(PostMention), [{"post_id": post_id, "user_id": user_id} for user_id in mentions])
    if tags:
        db.session.execute(insert(PostTag), [{"post_id": post_id, "tag": tag} for tag in sorted(tags)])
    activity.record(verbs.POST_CREATED, actor_id=by.id, subject_id=post_id)
    return post_id


def _known_people(text: str) -> list[int]:
    """Return the ids of the people a text mentions who exist."""
    handles = sorted(mentioned_handles(text))[:MOST_MENTIONS]
    if not handles:
        return []
    known = select(User.id).where(func.lower(User.handle).in_(handles), User.deleted_at.is_(None))
    return list(db.session.scalars(known))


def delete_post(post: Post, *, by: User) -> None:
    """Delete a post for good: the row stays to say "gone", the text does not. Deleting twice is the same as once."""
    if not policy.can_delete(by, post):
        raise NotAllowed("Only its author can delete a post.")
    still_there = update(Post).where(Post.id == post.id, Post.deleted_at.is_(None))
    if rows_changed(still_there.values(deleted_at=clock.now(), text="")):
        activity.record(verbs.POST_DELETED, actor_id=by.id, subject_id=post.id)


def like(post: Post, *, by: User) -> None:
    """Let everybody who sees a post know that somebody likes it."""
    if rows_changed(insert_or_ignore(Like).values(post_id=post.id, user_id=by.id).on_conflict_do_nothing()):
        activity.record(verbs.POST_LIKED, actor_id=by.id, subject_id=post.id)


def unlike(post: Post, *, by: User) -> None:
    """Take a like back."""
    if rows_changed(delete(Like).where(Like.post_id == post.id, Like.user_id == by.id)):
        activity.record(verbs.POST_UNLIKED, actor_id=by.id, subject_id=post.id)


def bookmark(post: Post, *, by: User) -> None:
    """Put a post into somebody's bookmarks. Not recorded: what people keep for themselves is nobody's history."""
    rows_changed(insert_or_ignore(Bookmark).values(post_id=post.id, user_id=by.id).on_conflict_do_nothing())


def remove_bookmark(post: Post, *, by: User) -> None:
    """Take a post out of somebody's bookmarks."""
    rows_changed(delete(Bookmark).where(Bookmark.post_id == post.id, Bookmark.user_id == by.id))
