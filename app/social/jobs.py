"""Jobs about the graph of people."""

from __future__ import annotations

from sqlalchemy import delete, or_, select, tuple_

from app.activity import operations as activity
from app.activity import verbs
from app.activity.models import OutboxRow
from app.activity.operations import State
from app.core.statements import rows_changed
from app.social.models import Follow

SLICE = 500


def purge_relations(row: OutboxRow) -> State | None:
    """Delete the follows of a deleted account, in slices; mutes and blocks are few and go with the account."""
    theirs = or_(Follow.follower_id == row.subject_id, Follow.followed_id == row.subject_id)
    pair = tuple_(Follow.follower_id, Follow.followed_id)
    some = select(Follow.follower_id, Follow.followed_id).where(theirs).limit(SLICE)
    if rows_changed(delete(Follow).where(pair.in_(some))):
        return row.state
    activity.record(verbs.RELATIONS_PURGED, actor_id=None, subject_id=row.subject_id)
    return None
