"""Jobs about the graph of people."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, or_, select, tuple_

from app.activity import operations as activity
from app.activity import verbs
from app.core.statements import rows_changed
from app.social.models import Follow

SLICE = 500


def purge_relations(user_id: int, state: dict[str, Any]) -> dict[str, Any] | None:
    """Delete the follows of a deleted account, in slices; mutes and blocks are few and go with the account."""
    theirs = or_(Follow.follower_id == user_id, Follow.followed_id == user_id)
    pair = tuple_(Follow.follower_id, Follow.followed_id)
    some = select(Follow.follower_id, Follow.followed_id).where(theirs).limit(SLICE)
    if rows_changed(delete(Follow).where(pair.in_(some))):
        return state
    activity.record(verbs.RELATIONS_PURGED, actor_id=None, subject_id=user_id)
    return None
