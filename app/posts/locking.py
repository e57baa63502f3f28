"""Keep posts from being erased under one's hands."""

from __future__ import annotations

from sqlalchemy import select
from werkzeug.exceptions import NotFound

from app.extensions import db
from app.posts.models import Post


def lock_posts(*posts: Post) -> None:
    """Keep posts until this transaction is over; whoever comes too late is told, and not by a foreign key."""
    ids = sorted({post.id for post in posts})
    rows = select(Post.id).where(Post.id.in_(ids)).order_by(Post.id)
    if len(db.session.scalars(rows.with_for_update(read=True, key_share=True)).all()) < len(ids):
        raise NotFound("This post doesn’t exist or isn’t visible to you.")
