"""Act on posts and people, and undo it. What holds is set where it is read: in the columns of posts and users."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import and_, case, func, select, update
from sqlalchemy.orm import selectinload

from app.accounts import sessions
from app.accounts.models import User
from app.accounts.operations import delete_account, lock_roles
from app.accounts.standing import FOREVER
from app.core import clock, times
from app.core.errors import NotAllowed, Refused
from app.core.text import clean, clean_line
from app.extensions import db
from app.moderation.actions import policy
from app.moderation.actions.kinds import (
    DELETE,
    FREEZE,
    HIDE,
    LIMIT,
    MARK,
    ON_PEOPLE,
    ON_POSTS,
    REMOVE,
    SUSPEND,
    WARN,
    Kind,
)
from app.moderation.actions.models import ModerationAction
from app.moderation.log.operations import enter
from app.posts.models import Post

TIME_TO_UNDO_DELETION = timedelta(days=14)
MARK_WITHOUT_WORDS = "Sensitive content"
MAX_ENDED_AT_ONCE = 200


class BadAction(Refused):
    """Nothing that can be done here."""

    field = "action"


class NoReason(Refused):
    """The person would not know why."""

    field = "reason"


class BadEnd(Refused):
    """A moment at which this cannot end."""

    field = "until"


def act_on_post(
    post: Post, action: str, *, by: User, reason: str, until: datetime | None = None, mark: str = ""
) -> ModerationAction:
    """Hide, remove or mark a post, and tell its author."""
    kind = ON_POSTS.get(action)
    if kind is None or post.repost_of_id is not None:
        raise BadAction("Choose one of the actions on the page.")
    author = db.session.get_one(User, post.author_id)
    check_may(author, by=by)
    db.session.refresh(post, ["text", "warning", "deleted_at"], with_for_update={"key_share": True})
    if post.deleted_at is not None:
        raise BadAction("Its author has deleted this post.")
    taken = _take(author, kind, by=by, reason=reason, until=until, post=post)
    if kind is MARK:
        taken.mark = clean_line(mark) or MARK_WITHOUT_WORDS
    db.session.flush()
    settle_post(post.id)
    _log(taken, author, by=by)
    return taken


def act_on_person(
    person: User, action: str, *, by: User, reason: str, until: datetime | None = None
) -> ModerationAction:
    """Warn, limit, freeze or suspend a person, or plan the deletion of their account.

    Of two admins who suspend each other at once the second finds themselves suspended: somebody stays.
    """
    kind = ON_PEOPLE.get(action)
    if kind is None:
        raise BadAction("Choose one of the actions on the page.")
    check_may(person, by=by)
    taken = _take(person, kind, by=by, reason=reason, until=until)
    db.session.flush()
    _settle_person(person.id)
    if kind in (SUSPEND, DELETE):
        sessions.revoke_all(person)
    _log(taken, person, by=by)
    return taken


def undo_action(action: ModerationAction, *, by: User, reason: str = "") -> bool:
    """Take back what was done, and the strike with it; say whether it was not undone yet."""
    person = db.session.get_one(User, action.person_id)
    check_may(person, by=by)
    db.session.refresh(action, ["undone_at", "told_at"], with_for_update=True)
    if action.undone_at is not None:
        return False
    action.undone_at, action.undone_by = clock.now(), by.handle
    action.told_at = action.told_at or clock.now()  # there is nothing left to tell
    db.session.flush()
    _settle(action)
    enter(action.kind.undone, person, by=by, reason=reason, before=_done(action), after=_undone(action))
    return True


def _take(
    person: User, kind: Kind, *, by: User, reason: str, until: datetime | None, post: Post | None = None
) -> ModerationAction:
    if not clean(reason):
        raise NoReason("Say why. The person will read it.")
    if until is not None and (not kind.can_end or until <= clock.now()):
        raise BadEnd("Choose a day in the future." if kind.can_end else "This has no end date.")
    if kind is not WARN and _is_in_force(person, kind, post):
        raise BadAction("That has been done already. Undo it first to change it.")
    said = "\n\n".join(part for part in (post.warning, post.text) if part) if post else ""
    taken = ModerationAction(
        action=kind.name,
        person_id=person.id,
        post_id=post.id if post else None,
        post_text=said,
        actor_id=by.id,
        actor=by.handle,
        reason=clean(reason),
        until=clock.now() + TIME_TO_UNDO_DELETION if kind is DELETE else until,
    )
    db.session.add(taken)
    return taken


def _is_in_force(person: User, kind: Kind, post: Post | None) -> bool:
    of_post = ModerationAction.post_id == post.id if post else ModerationAction.post_id.is_(None)
    same = and_(ModerationAction.person_id == person.id, ModerationAction.action == kind.name, of_post)
    ends = db.session.scalars(select(ModerationAction.until).where(same, *_COUNTING))
    return any(until is None or clock.holds(until) for until in ends)


# Those that are neither undone nor over.
_COUNTING = (ModerationAction.undone_at.is_(None), ModerationAction.over_at.is_(None))


def check_may(person: User, *, by: User) -> None:
    """Refuse those who may not act on a person; until the transaction ends, nobody's role or standing changes."""
    lock_roles()
    db.session.refresh(by, ["role", "deleted_at", "suspended_until"])
    db.session.refresh(person, ["role", "deleted_at"])
    if not by.is_staff or by.deleted_at is not None or by.is_suspended:
        raise NotAllowed("You don’t run this site any more.")
    if person.id == by.id:
        raise NotAllowed("You can’t do that to yourself. Ask someone else who runs this site.")
    if not policy.may_act_on(person, by=by):
        raise NotAllowed("Only an admin can do that to someone who runs this site.")
    if person.deleted_at is not None:
        raise BadAction("This account has been deleted.")


# ---- From what was done to what holds


def _settle(action: ModerationAction) -> None:
    if action.post_id is None:
        _settle_person(action.person_id)
    else:
        settle_post(action.post_id)
        settle_notice(action.person_id)


def _settle_person(person_id: int) -> None:
    """Set how a person stands from what was done and not undone: the latest end of each kind."""
    ends = _ends(ModerationAction.person_id == person_id, ModerationAction.post_id.is_(None))
    deletion = ends.get(DELETE.name)
    values = {
        "limited_until": ends.get(LIMIT.name),
        "frozen_until": ends.get(FREEZE.name),
        "suspended_until": FOREVER if deletion else ends.get(SUSPEND.name),
        "erased_from": deletion,
    }
    db.session.execute(update(User).where(User.id == person_id).values(**values))
    settle_notice(person_id)


def settle_post(post_id: int) -> None:
    ends = _ends(ModerationAction.post_id == post_id)
    marks = select(ModerationAction.mark).where(ModerationAction.post_id == post_id, ModerationAction.mark != "")
    mark = db.session.scalar(marks.where(*_COUNTING).order_by(ModerationAction.id.desc()).limit(1))
    values = {
        "hidden_until": case((Post.held_at.is_not(None), FOREVER), else_=ends.get(HIDE.name)),
        "removed_until": ends.get(REMOVE.name),
        "marked_until": ends.get(MARK.name),
        "mark": mark or "",
    }
    post = db.session.execute(update(Post).where(Post.id == post_id).values(**values).returning(Post.author_id)).first()
    if post:
        settle_notice(post.author_id)


def _ends(*where: object) -> dict[str, datetime]:
    latest = func.max(func.coalesce(ModerationAction.until, FOREVER))
    counting = select(ModerationAction.action, latest).where(*where, *_COUNTING)  # type: ignore[arg-type]
    rows = db.session.execute(counting.group_by(ModerationAction.action))
    return {row[0]: row[1] for row in rows}


def settle_notice(person_id: int) -> None:
    """Set which decision a person is led to: a warning first, then the oldest that they have not opened."""
    unread = select(ModerationAction).where(
        ModerationAction.person_id == person_id,
        ModerationAction.told_at.is_(None),
    )
    unread = unread.options(selectinload(ModerationAction.appeal))
    unread = unread.order_by((ModerationAction.action == WARN.name).desc(), ModerationAction.id).limit(1)
    first = db.session.scalars(unread).one_or_none()
    is_warning = first is not None and first.kind is WARN and not first.is_undone and first.appeal is None
    values = {"notice_id": first and first.id, "must_acknowledge": is_warning}
    db.session.execute(update(User).where(User.id == person_id).values(**values))


# ---- Time goes by


def end_what_is_over() -> None:
    """Note what has ended by itself, so that counters follow, and delete the accounts whose time to undo is over."""
    lock_roles()
    ended = select(ModerationAction).where(*_COUNTING, ModerationAction.until <= clock.now())
    ended = ended.order_by(ModerationAction.until).limit(MAX_ENDED_AT_ONCE)
    for action in db.session.scalars(ended.with_for_update()).all():
        action.over_at = clock.now()
        if action.action == DELETE.name:
            delete_account(db.session.get_one(User, action.person_id))
            continue
        db.session.flush()
        _settle(action)


# ---- On the record


def _log(action: ModerationAction, person: User, *, by: User) -> None:
    enter(action.kind.logged, person, by=by, reason=action.reason, before=_undone(action), after=_done(action))


def _done(action: ModerationAction) -> dict[str, str | int | None]:
    return _undone(action) | ({"until": times.in_full(action.until, None)} if action.until else {})


def _undone(action: ModerationAction) -> dict[str, str | int | None]:
    return {"post": action.post_id} if action.post_id else {}
