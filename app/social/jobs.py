"""Jobs about the graph of people."""

from __future__ import annotations

from sqlalchemy import delete, or_, select, tuple_

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core.statements import rows_changed
from app.extensions import db
from app.outbox.models import OutboxRow
from app.outbox.rows import State
from app.social import operations
from app.social.models import Follow, FollowRequest

SLICE = 500
SLICE_OF_REQUESTS = 100  # each takes a lock


def purge_relations(row: OutboxRow) -> State | None:
    """Delete the follows of a deleted account, in slices; mutes and blocks are few and go with the account."""
    theirs = or_(Follow.follower_id == row.subject_id, Follow.followed_id == row.subject_id)
    pair = tuple_(Follow.follower_id, Follow.followed_id)
    some = select(Follow.follower_id, Follow.followed_id).where(theirs).limit(SLICE)
    if rows_changed(delete(Follow).where(pair.in_(some))):
        return row.state
    activity.record(verbs.RELATIONS_PURGED, actor_id=None, subject_id=row.subject_id)
    return None


def accept_requests(row: OutboxRow) -> State | None:
    """Let those follow who asked a private account before it was opened, in slices."""
    target = db.session.get(User, row.subject_id)
    if target is None or operations.is_private_now(target):  # closed again: the other requests stay open
        return None
    asked = select(FollowRequest.requester_id).where(FollowRequest.target_id == target.id).order_by(FollowRequest.id)
    requester_ids = db.session.scalars(asked.limit(SLICE_OF_REQUESTS)).all()
    operations.accept_requests(requester_ids, by=target)
    return row.state if requester_ids else None
