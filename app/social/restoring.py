"""Bring back how it was before: what an undo needs to know of it, as a token for one reader and one person.

Who unfollows a private account would have to ask again. An undo need not, if it comes soon and nothing has happened
between the two since: the token is spent by its first use, and worthless once the account has removed or blocked them.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import and_, func, or_, select, update

from app.accounts.models import User
from app.activity.models import Activity
from app.core import clock, ids, tokens
from app.core.errors import NotAsItWas
from app.extensions import db
from app.social import operations
from app.social.models import REPOSTS, SCOPES, VOLUMES, Follow, Mute

TIME_TO_RESTORE = timedelta(seconds=15)  # pages offer it for ten, and the way here takes a while


def end_follow(target: User, *, by: User) -> str:
    """Unfollow, and return what `restore_follow` takes; nothing where there was no follow."""
    theirs = (Follow.follower_id == by.id, Follow.followed_id == target.id)
    before = db.session.execute(select(Follow.id, Follow.volume).where(*theirs)).one_or_none()
    operations.unfollow(target, by=by)
    if before is None:
        return ""
    numbers = [_last_between(target, by), before.id, VOLUMES.index(before.volume)]
    return tokens.sign(_purpose("follow", target, by), numbers)


def restore_follow(target: User, token: str, *, by: User) -> None:
    """Follow as before, at the same volume and place; where it is too late for that, as if for the first time."""
    end, follow_id, volume = _read("follow", target, token, by=by)
    operations.lock_pair(target.id, by.id)
    is_in_time = ids.time_of(end) > clock.now() - TIME_TO_RESTORE
    if is_in_time and _last_between(target, by) == end:
        operations.start_to_follow(target, by=by)
    else:
        operations.follow(target, by=by)
    theirs = (Follow.follower_id == by.id, Follow.followed_id == target.id)
    db.session.execute(update(Follow).where(*theirs).values(id=follow_id, volume=VOLUMES[volume]))


def _last_between(target: User, by: User) -> int:
    """Return the last thing that happened between two people."""
    one = and_(Activity.actor_id == by.id, Activity.subject_id == target.id)
    other = and_(Activity.actor_id == target.id, Activity.subject_id == by.id)
    return db.session.scalar(select(func.max(Activity.id)).where(or_(one, other))) or 0


def mute_of(target: User, *, by: User) -> str:
    """Return what `restore_mute` takes; nothing where `target` is not muted."""
    theirs = (Mute.muter_id == by.id, Mute.muted_id == target.id, or_(Mute.until.is_(None), Mute.until > clock.now()))
    mute = db.session.execute(select(Mute.scope, Mute.until).where(*theirs)).one_or_none()
    if mute is None:
        return ""
    until = int(mute.until.timestamp() * 1000) if mute.until else 0
    return tokens.sign(_purpose("mute", target, by), [SCOPES.index(mute.scope), until])


def restore_mute(target: User, token: str, *, by: User) -> bool:
    """Mute as before, with the same scope and end; say whether that is reposts alone."""
    scope, until = _read("mute", target, token, by=by)
    end = datetime.fromtimestamp(until / 1000, tz=UTC) if until else None
    operations.mute(target, by=by, scope=SCOPES[scope], until=end)
    return SCOPES[scope] == REPOSTS


def _read(what: str, target: User, token: str, *, by: User) -> list[int]:
    try:
        return list(tokens.read(_purpose(what, target, by), token))
    except tokens.BadToken as error:
        raise NotAsItWas from error


def _purpose(what: str, target: User, by: User) -> str:
    return f"{what}:{by.id}:{target.id}"
