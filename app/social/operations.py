"""Follow, mute, block, and their undoing. Doing a thing twice is the same as doing it once."""

from __future__ import annotations

from sqlalchemy import and_, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core.errors import NotAllowed
from app.core.statements import rows_changed
from app.extensions import db
from app.social import queries
from app.social.models import Block, Follow, Mute


def follow(target: User, *, by: User) -> None:
    """Let `by` read what `target` writes."""
    _refuse_oneself(target, by, "You can't follow yourself: your own posts are in your feed anyway.")
    _lock_pair(target, by)
    if queries.is_blocked_either_way(target.id, by.id):
        raise NotAllowed(f"You can't follow @{target.handle} while one of you blocks the other.")
    new_follow = insert(Follow).values(follower_id=by.id, followed_id=target.id).on_conflict_do_nothing()
    if rows_changed(new_follow):
        activity.record(verbs.PERSON_FOLLOWED, actor_id=by.id, subject_id=target.id)


def unfollow(target: User, *, by: User) -> None:
    """Stop reading what `target` writes."""
    if rows_changed(delete(Follow).where(Follow.follower_id == by.id, Follow.followed_id == target.id)):
        activity.record(verbs.PERSON_UNFOLLOWED, actor_id=by.id, subject_id=target.id)


def mute(target: User, *, by: User) -> None:
    """Keep `target` out of the lists that `by` reads, without anybody noticing."""
    _refuse_oneself(target, by, "You can't mute yourself.")
    if rows_changed(insert(Mute).values(muter_id=by.id, muted_id=target.id).on_conflict_do_nothing()):
        activity.record(verbs.PERSON_MUTED, actor_id=by.id, subject_id=target.id)


def unmute(target: User, *, by: User) -> None:
    """Let `target` appear again."""
    if rows_changed(delete(Mute).where(Mute.muter_id == by.id, Mute.muted_id == target.id)):
        activity.record(verbs.PERSON_UNMUTED, actor_id=by.id, subject_id=target.id)


def block(target: User, *, by: User) -> None:
    """Hide two people from each other everywhere, and end the follows between them."""
    _refuse_oneself(target, by, "You can't block yourself.")
    _lock_pair(target, by)
    new_block = insert(Block).values(blocker_id=by.id, blocked_id=target.id).on_conflict_do_nothing()
    if not rows_changed(new_block):
        return
    between = or_(
        and_(Follow.follower_id == by.id, Follow.followed_id == target.id),
        and_(Follow.follower_id == target.id, Follow.followed_id == by.id),
    )
    db.session.execute(delete(Follow).where(between))
    activity.record(verbs.PERSON_BLOCKED, actor_id=by.id, subject_id=target.id)


def unblock(target: User, *, by: User) -> None:
    """Let two people see each other again. The follows do not come back."""
    if rows_changed(delete(Block).where(Block.blocker_id == by.id, Block.blocked_id == target.id)):
        activity.record(verbs.PERSON_UNBLOCKED, actor_id=by.id, subject_id=target.id)


def _refuse_oneself(target: User, by: User, sentence: str) -> None:
    if target.id == by.id:
        raise NotAllowed(sentence)


def _lock_pair(a: User, b: User) -> None:
    """Make follow and block of the same two people wait for each other: a follow must not slip past a block."""
    pair = "pair:{}:{}".format(*sorted((a.id, b.id)))
    db.session.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(pair, 0))))
