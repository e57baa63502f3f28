"""Follow, ask to follow, mute, block, and their undoing. Doing a thing twice is the same as doing it once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Delete, and_, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.errors import NotAllowed
from app.core.locks import advisory_lock
from app.core.statements import is_one_of, rows_changed
from app.extensions import db
from app.social import queries
from app.social.models import EVERYTHING, SCOPES, VOLUMES, Block, Follow, FollowRequest, Mute


def follow(target: User, *, by: User) -> None:
    """Let `by` read what `target` writes; a private account is asked first."""
    _refuse_oneself(target, by, "You can’t follow yourself. Your own posts are already in your feed.")
    lock_pair(target.id, by.id)
    if queries.is_blocked_either_way(target.id, by.id):
        raise NotAllowed(f"You can’t follow @{target.handle} while one of you is blocking the other.")
    is_private, follows = is_private_now(target), queries.is_following(by.id, target.id)
    if not follows and is_limited_now(target):
        raise NotAllowed("Nobody new can follow this account.")
    if is_private and not follows:
        _ask_to_follow(target, by=by)
    else:
        rows_changed(_requests(by.id, target.id))  # from before the account was opened
        start_to_follow(target, by=by)


def is_private_now(target: User) -> bool:
    """Read whether an account is private and lock the row against a change: no follow slips in while it closes."""
    private = select(User.is_private).where(User.id == target.id).with_for_update(read=True)
    return bool(db.session.scalar(private))


def is_limited_now(target: User) -> bool:
    """Read whether an account is limited; its row is locked, so that it stays as it is."""
    return clock.holds(db.session.scalar(select(User.limited_until).where(User.id == target.id)))


def start_to_follow(target: User, *, by: User) -> None:
    """Follow without asking."""
    new_follow = insert(Follow).values(follower_id=by.id, followed_id=target.id).on_conflict_do_nothing()
    if rows_changed(new_follow):
        activity.record(verbs.PERSON_FOLLOWED, actor_id=by.id, subject_id=target.id)


def _ask_to_follow(target: User, *, by: User) -> None:
    request = insert(FollowRequest).values(requester_id=by.id, target_id=target.id).on_conflict_do_nothing()
    if rows_changed(request):
        activity.record(verbs.FOLLOW_REQUESTED, actor_id=by.id, subject_id=target.id)


def unfollow(target: User, *, by: User) -> None:
    """Stop reading what `target` writes, or asking for it."""
    rows_changed(_requests(by.id, target.id))
    if rows_changed(delete(Follow).where(Follow.follower_id == by.id, Follow.followed_id == target.id)):
        activity.record(verbs.PERSON_UNFOLLOWED, actor_id=by.id, subject_id=target.id)


def accept_request(requester: User, *, by: User) -> None:
    """Let a requester follow; a request that was taken back or declined meanwhile is ignored."""
    accept_requests([requester.id], by=by)


def accept_requests(requester_ids: Sequence[int], *, by: User) -> None:
    """Let several requesters follow."""
    for requester_id in sorted(requester_ids):
        lock_pair(requester_id, by.id)
    theirs = (FollowRequest.target_id == by.id, is_one_of(FollowRequest.requester_id, requester_ids))
    accepted = db.session.scalars(delete(FollowRequest).where(*theirs).returning(FollowRequest.requester_id)).all()
    if not accepted:
        return
    # In one statement, in which the database changes all counters in order: one after the other they could deadlock.
    rows = [{"follower_id": requester_id, "followed_id": by.id} for requester_id in accepted]
    new_follows = insert(Follow).values(rows).on_conflict_do_nothing().returning(Follow.follower_id)
    for follower_id in db.session.scalars(new_follows).all():
        activity.record(verbs.PERSON_FOLLOWED, actor_id=follower_id, subject_id=by.id)


def decline_request(requester: User, *, by: User) -> None:
    """Delete a request; the requester is not told."""
    rows_changed(_requests(requester.id, by.id))


def _requests(requester_id: int, target_id: int) -> Delete:
    return delete(FollowRequest).where(FollowRequest.requester_id == requester_id, FollowRequest.target_id == target_id)


def remove_follower(follower: User, *, by: User) -> None:
    """End that `follower` follows `by`. The follower is not told, and may follow or ask again."""
    if rows_changed(delete(Follow).where(Follow.follower_id == follower.id, Follow.followed_id == by.id)):
        activity.record(verbs.FOLLOWER_REMOVED, actor_id=by.id, subject_id=follower.id)


def set_private(user: User, is_private: bool) -> None:
    """Close an account to all but approved followers, or open it; a job then accepts the open requests."""
    change = update(User).where(User.id == user.id, User.is_private != is_private)
    if rows_changed(change.values(is_private=is_private)):
        verb = verbs.ACCOUNT_CLOSED if is_private else verbs.ACCOUNT_OPENED
        activity.record(verb, actor_id=user.id, subject_id=user.id)


def set_volume(target: User, volume: str, *, by: User) -> None:
    """Choose how much of what `target` writes `by` wants to read."""
    if volume not in VOLUMES:
        raise ValueError(volume)
    theirs = update(Follow).where(Follow.follower_id == by.id, Follow.followed_id == target.id)
    if rows_changed(theirs.where(Follow.volume != volume).values(volume=volume)):
        activity.record(verbs.VOLUME_CHOSEN, actor_id=by.id, subject_id=target.id)


def mute(target: User, *, by: User, scope: str = EVERYTHING, until: datetime | None = None) -> None:
    """Keep `target`, or only what they repost, out of the lists that `by` reads; `target` is not told."""
    _refuse_oneself(target, by, "You can’t mute yourself.")
    if scope not in SCOPES:
        raise ValueError(scope)
    new_mute = insert(Mute).values(muter_id=by.id, muted_id=target.id, scope=scope, until=until)
    same = and_(Mute.scope == scope, Mute.until.is_not_distinct_from(until))
    # Muting again is the same as once, or a change of what and for how long.
    rows = new_mute.on_conflict_do_update(
        index_elements=["muter_id", "muted_id"], set_={"scope": scope, "until": until}, where=~same
    )
    mutes_everything = select(Mute).where(Mute.muter_id == by.id, Mute.muted_id == target.id, Mute.scope == EVERYTHING)
    is_narrowed = scope != EVERYTHING and db.session.scalar(mutes_everything.with_for_update()) is not None
    if rows_changed(rows):
        activity.record(verbs.PERSON_MUTED, actor_id=by.id, subject_id=target.id)
    if is_narrowed:
        activity.record(verbs.MUTE_NARROWED, actor_id=by.id, subject_id=target.id)


def unmute(target: User, *, by: User) -> None:
    """Let `target` appear again."""
    if rows_changed(delete(Mute).where(Mute.muter_id == by.id, Mute.muted_id == target.id)):
        activity.record(verbs.PERSON_UNMUTED, actor_id=by.id, subject_id=target.id)


def forget_ended_mutes() -> None:
    """Delete the mutes whose time is over."""
    ended = delete(Mute).where(Mute.until < clock.now()).returning(Mute.muter_id, Mute.muted_id)
    for muter_id, muted_id in db.session.execute(ended).all():
        activity.record(verbs.MUTE_ENDED, actor_id=muter_id, subject_id=muted_id)


def block(target: User, *, by: User) -> None:
    """Hide two people from each other everywhere, and end the follows between them."""
    _refuse_oneself(target, by, "You can’t block yourself.")
    lock_pair(target.id, by.id)
    new_block = insert(Block).values(blocker_id=by.id, blocked_id=target.id).on_conflict_do_nothing()
    if not rows_changed(new_block):
        return
    between = or_(
        and_(Follow.follower_id == by.id, Follow.followed_id == target.id),
        and_(Follow.follower_id == target.id, Follow.followed_id == by.id),
    )
    db.session.execute(delete(Follow).where(between))
    rows_changed(_requests(by.id, target.id))
    rows_changed(_requests(target.id, by.id))
    activity.record(verbs.PERSON_BLOCKED, actor_id=by.id, subject_id=target.id)


def unblock(target: User, *, by: User) -> None:
    """Let two people see each other again. The follows do not come back."""
    if rows_changed(delete(Block).where(Block.blocker_id == by.id, Block.blocked_id == target.id)):
        details = {"readers": [by.id, target.id]}
        activity.record(verbs.PERSON_UNBLOCKED, actor_id=by.id, subject_id=target.id, details=details)


def _refuse_oneself(target: User, by: User, sentence: str) -> None:
    if target.id == by.id:
        raise NotAllowed(sentence)


def lock_pair(a: int, b: int) -> None:
    """Make follow and block of the same two people wait for each other: a follow must not slip past a block."""
    advisory_lock("pair:{}:{}".format(*sorted((a, b))))
