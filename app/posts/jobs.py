"""Jobs about posts."""

from __future__ import annotations

from sqlalchemy import delete, select

from app.activity import operations as activity
from app.activity import verbs
from app.activity.models import OutboxRow
from app.activity.operations import State
from app.core.statements import rows_changed
from app.posts.models import Post

SLICE = 500


def purge_posts(row: OutboxRow) -> State | None:
    """Delete the posts of a deleted account, in slices."""
    some = select(Post.id).where(Post.author_id == row.subject_id).limit(SLICE)
    if rows_changed(delete(Post).where(Post.id.in_(some))):
        return row.state
    activity.record(verbs.POSTS_PURGED, actor_id=None, subject_id=row.subject_id)
    return None
