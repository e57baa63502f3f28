"""Jobs about posts."""

from __future__ import annotations

from sqlalchemy import delete, select

from app.activity import operations as activity
from app.activity import verbs
from app.core.statements import rows_changed
from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import State
from app.posts.media import files as image_files
from app.posts.models import Like, Post, PostImage

SLICE = 500


def purge_posts(row: OutboxRow) -> State | None:
    """Delete the images, posts and likes of a deleted account, in slices; its bookmarks go with the account."""
    images = select(PostImage.id).where(PostImage.owner_id == row.subject_id).limit(SLICE)
    posts = select(Post.id).where(Post.author_id == row.subject_id).limit(SLICE)
    likes = select(Like.id).where(Like.user_id == row.subject_id).limit(SLICE)
    files = db.session.scalars(delete(PostImage).where(PostImage.id.in_(images)).returning(PostImage.file)).all()
    for file in files:
        image_files.remove(file)
    if files:
        return row.state
    if rows_changed(delete(Post).where(Post.id.in_(posts))):
        return row.state
    if rows_changed(delete(Like).where(Like.user_id == row.subject_id, Like.id.in_(likes))):
        return row.state
    activity.record(verbs.POSTS_PURGED, actor_id=None, subject_id=row.subject_id)
    return None


def remove_images(row: OutboxRow) -> None:
    """Delete the files of images that were taken away or went with their post."""
    for file in row.details["files"]:
        image_files.remove(file)
