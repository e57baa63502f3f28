"""Follow and block many people at once, as one would one after the other; who cannot be followed is said.

All locks are taken first and in one order, and rows that triggers count are written by one statement: of two who bring
in lists, and of somebody who clicks meanwhile, nobody waits for somebody who waits for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import and_, delete, or_, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.statements import is_one_of
from app.extensions import db
from app.social.models import Block, Follow, FollowRequest
from app.social.operations import lock_pair

FOLLOWED, ASKED, BLOCKED, ALREADY = "followed", "asked", "blocked", "already"
UNKNOWN = "unknown"  # also a limited account, which whoever does not follow it never meets


def follow_many(target_ids: Sequence[int], *, by: User) -> Mapping[int, str]:
    """Follow people, and ask those whose accounts are private; return what came of each."""
    outcomes = dict.fromkeys(_locked(target_ids, by=by), ALREADY)
    blocked = _blocks_with(list(outcomes), by=by)
    theirs = (Follow.follower_id == by.id, is_one_of(Follow.followed_id, list(outcomes)))
    following = set(db.session.scalars(select(Follow.followed_id).where(*theirs)))
    private, limited = _locked_standings([target_id for target_id in outcomes if target_id not in following])
    free = [target_id for target_id in outcomes if target_id not in blocked | following | limited]
    private &= set(free)
    public = [target_id for target_id in free if target_id not in private]
    outcomes |= dict.fromkeys(blocked, BLOCKED) | dict.fromkeys(limited, UNKNOWN)
    outcomes |= dict.fromkeys(_ask(sorted(private), by=by), ASKED)
    outcomes |= dict.fromkeys(_follow(public, by=by), FOLLOWED)
    return outcomes


def block_many(target_ids: Sequence[int], *, by: User) -> Mapping[int, str]:
    """Block people, and end the follows between them and the blocker; return what came of each."""
    outcomes = dict.fromkeys(_locked(target_ids, by=by), ALREADY)
    rows = [{"blocker_id": by.id, "blocked_id": target_id} for target_id in outcomes]
    new_blocks = insert(Block).values(rows).on_conflict_do_nothing().returning(Block.blocked_id)
    blocked = list(db.session.scalars(new_blocks)) if rows else []
    follows = (
        and_(Follow.follower_id == by.id, is_one_of(Follow.followed_id, blocked)),
        and_(Follow.followed_id == by.id, is_one_of(Follow.follower_id, blocked)),
    )
    requests = (
        and_(FollowRequest.requester_id == by.id, is_one_of(FollowRequest.target_id, blocked)),
        and_(FollowRequest.target_id == by.id, is_one_of(FollowRequest.requester_id, blocked)),
    )
    unloaded = {"synchronize_session": False}
    db.session.execute(delete(Follow).where(or_(*follows)), execution_options=unloaded)
    db.session.execute(delete(FollowRequest).where(or_(*requests)), execution_options=unloaded)
    for target_id in blocked:
        activity.record(verbs.PERSON_BLOCKED, actor_id=by.id, subject_id=target_id)
    return outcomes | dict.fromkeys(blocked, BLOCKED)


def _locked(target_ids: Sequence[int], *, by: User) -> list[int]:
    """Lock the pairs of somebody with others, in the order in which everybody does it."""
    others = sorted(set(target_ids) - {by.id}, key=lambda target_id: sorted((target_id, by.id)))
    for target_id in others:
        lock_pair(target_id, by.id)
    return others


def _blocks_with(target_ids: Sequence[int], *, by: User) -> set[int]:
    theirs = select(Block.blocker_id).where(Block.blocked_id == by.id, is_one_of(Block.blocker_id, target_ids))
    own = select(Block.blocked_id).where(Block.blocker_id == by.id, is_one_of(Block.blocked_id, target_ids))
    return set(db.session.scalars(theirs)) | set(db.session.scalars(own))


def _locked_standings(target_ids: Sequence[int]) -> tuple[set[int], set[int]]:
    """Return which accounts are private and which limited, all locked: no follow slips in while that changes."""
    locked = select(User.id, User.is_private, User.limited_until).where(is_one_of(User.id, target_ids))
    rows = db.session.execute(locked.order_by(User.id).with_for_update(read=True)).all()
    return {row.id for row in rows if row.is_private}, {row.id for row in rows if clock.holds(row.limited_until)}


def _ask(target_ids: Sequence[int], *, by: User) -> list[int]:
    if not target_ids:
        return []
    rows = [{"requester_id": by.id, "target_id": target_id} for target_id in target_ids]
    requests = insert(FollowRequest).values(rows).on_conflict_do_nothing().returning(FollowRequest.target_id)
    asked = list(db.session.scalars(requests))
    for target_id in asked:
        activity.record(verbs.FOLLOW_REQUESTED, actor_id=by.id, subject_id=target_id)
    return asked


def _follow(target_ids: Sequence[int], *, by: User) -> list[int]:
    if not target_ids:
        return []
    waiting = (FollowRequest.requester_id == by.id, is_one_of(FollowRequest.target_id, target_ids))
    requests = delete(FollowRequest).where(*waiting)  # from before the account was opened
    db.session.execute(requests, execution_options={"synchronize_session": False})
    rows = [{"follower_id": by.id, "followed_id": target_id} for target_id in target_ids]
    follows = insert(Follow).values(rows).on_conflict_do_nothing().returning(Follow.followed_id)
    followed = list(db.session.scalars(follows))
    for target_id in followed:
        activity.record(verbs.PERSON_FOLLOWED, actor_id=by.id, subject_id=target_id)
    return followed
