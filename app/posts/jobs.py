"""Jobs about posts."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select

from app.activity import operations as activity
from app.activity import verbs
from app.core.statements import rows_changed
from app.posts.models import Post

SLICE = 500


def purge_posts(user_id: int, state: dict[str, Any]) -> dict[str, Any] | None:
    """Delete the posts of a deleted account, in slices."""
    some = select(Post.id).where(Post.author_id == user_id).limit(SLICE)
    if rows_changed(delete(Post).where(Post.id.in_(some))):
        return state
    activity.record(verbs.POSTS_PURGED, actor_id=None, subject_id=user_id)
    return None
