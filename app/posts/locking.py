"""Lock posts against being erased by another transaction."""

from __future__ import annotations

from sqlalchemy import select
from werkzeug.exceptions import NotFound

from app.extensions import db
from app.posts.models import Post


def lock_posts(*posts: Post) -> None:
    """Lock posts against deletion until the transaction ends; 404 where one is gone already."""
    ids = sorted({post.id for post in posts})
    rows = select(Post.id).where(Post.id.in_(ids)).order_by(Post.id)
    if len(db.session.scalars(rows.with_for_update(read=True, key_share=True)).all()) < len(ids):
        raise NotFound("This post doesn’t exist or isn’t visible to you.")
