"""Make, change and delete accounts."""

from __future__ import annotations

from collections.abc import Sequence

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.accounts import handles, passwords, sessions
from app.accounts.joining.models import WAITING, SignupRequest
from app.accounts.models import ADMIN, MEMBER, RetiredHandle, User, UserCounters
from app.accounts.standing import is_here
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.core.errors import Refused
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.core.text import clean, clean_line
from app.core.zones import kept_name
from app.extensions import db

# Any number will do, as long as nothing else takes an advisory lock under it.
FIRST_ACCOUNT_LOCK = 20_260_101
LONGEST_EMAIL = 254
TAKEN = "That handle is taken. Choose another."


class HandleTaken(Refused):
    """An account has this handle or had it once, or it would pass for the site itself."""

    field = "handle"


class UnknownZone(Refused):
    """Not a time zone."""

    field = "time_zone"


class AlreadySetUp(Exception):
    """The site has an account already."""


class LastAdmin(Refused):
    """The site would be left without an admin."""

    field = "current_password"


def normalise_email(email: str) -> str:
    """Return the one spelling under which an address is stored and looked up; ValueError if it is none."""
    if len(email) > LONGEST_EMAIL:  # the validator takes half a minute for a megabyte
        raise ValueError("That’s too long.")
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError as error:
        raise ValueError("That doesn’t look like an email address.") from error


def check_handle(handle: str) -> None:
    """Refuse a handle that cannot be had. Of two who take a free one at once, `sign_up` refuses the second."""
    if handles.is_reserved(handle):
        raise HandleTaken("That handle is reserved. Choose another.")
    is_used = select(User.id).where(func.lower(User.handle) == handle.lower())
    if _is_retired(handle) or db.session.scalar(is_used) is not None or _is_asked_for(handle):
        raise HandleTaken(TAKEN)


def sign_up(*, handle: str, name: str, email: str, password: str, role: str = MEMBER) -> User:
    """Make an account. The handle decides: it is unique without regard to case."""
    password_hash = passwords.hash_password(password)  # slow, so before anything is locked
    return open_account(handle=handle, name=name, email=email, password_hash=password_hash, role=role)


def open_account(*, handle: str, name: str, email: str, password_hash: str, role: str = MEMBER) -> User:
    """Make the account of somebody who may have one."""
    check_handle(handle)
    values = {
        "handle": handle,
        "name": clean_line(name),
        "email": normalise_email(email),
        "password_hash": password_hash,
        "role": role,
    }
    new_user = upsert(User).values(values).on_conflict_do_nothing(index_elements=[func.lower(text("handle"))])
    user = db.session.scalars(new_user.returning(User)).one_or_none()
    if user is None:
        raise HandleTaken(TAKEN)
    db.session.execute(insert(UserCounters).values(user_id=user.id))
    activity.record(verbs.ACCOUNT_CREATED, actor_id=user.id, subject_id=user.id)
    return user


def set_up_site(*, handle: str, name: str, email: str, password: str) -> User:
    """Make the first account, an admin. Of two concurrent requests only one succeeds."""
    db.session.execute(select(func.pg_advisory_xact_lock(FIRST_ACCOUNT_LOCK)))
    if db.session.scalar(select(User.id).limit(1)) is not None:
        raise AlreadySetUp
    return sign_up(handle=handle, name=name, email=email, password=password, role=ADMIN)


def _is_retired(handle: str) -> bool:
    return db.session.get(RetiredHandle, handle.lower()) is not None


def _is_asked_for(handle: str) -> bool:
    waiting = (func.lower(SignupRequest.handle) == handle.lower(), SignupRequest.state == WAITING)
    return db.session.scalar(select(SignupRequest.id).where(*waiting)) is not None


def change_profile(user: User, *, name: str, bio: str) -> None:
    """Set what others see of a person."""
    user.name = clean_line(name)
    user.bio = clean(bio)


def choose_reposts(user: User, *, repeat_hours: int, hides_own: bool) -> None:
    """Set for how long a repost is a repeat to a reader, and whether what they reposted themselves comes up again."""
    if (user.repeat_hours, user.hides_own_reposts) == (repeat_hours, hides_own):
        return
    user.repeat_hours, user.hides_own_reposts = repeat_hours, hides_own
    activity.record(verbs.REPOSTS_CHOSEN, actor_id=user.id, subject_id=user.id)


def choose_layout(user: User, *, groups_conversations: bool) -> None:
    """Set whether the conversations of a reader's home are shown in one piece."""
    user.groups_conversations = groups_conversations


def choose_start(user: User, *, at_top: bool) -> None:
    """Set whether a reader who asks for new posts is led to the newest of them, or to the oldest."""
    user.starts_at_top = at_top


def choose_time_zone(user: User, name: str) -> None:
    """Set in which time zone a person reads days and times."""
    user.time_zone = _zone_as_kept(name)


def guess_time_zone(name: str, *, by: int) -> None:
    """Take a browser's word for a person's time zone: the first one's, and only where they have chosen none."""
    unknown = update(User).where(User.id == by, User.time_zone.is_(None))
    rows_changed(unknown.values(time_zone=_zone_as_kept(name)))


def _zone_as_kept(name: str) -> str:
    zone = kept_name(name)
    if zone is None:
        raise UnknownZone("That’s not a time zone we know. Choose one from the list.")
    return zone


def dismiss(announcement_id: int, *, by: int, current: Sequence[int]) -> None:
    """Show a person an announcement no more; those that are over need not be remembered."""
    [dismissed] = db.session.scalars(select(User.dismissed).where(User.id == by).with_for_update())
    kept = sorted({each for each in (*dismissed, announcement_id) if each in current})
    rows_changed(update(User).where(User.id == by).values(dismissed=kept))


def change_avatar(user: User, file: str | None) -> None:
    """Show another picture, or none. The old file is removed by a job, after the commit."""
    db.session.refresh(user, ["avatar"], with_for_update=True)  # of two uploads at once the second replaces the first
    old, user.avatar = user.avatar, file
    if old:
        activity.record(verbs.AVATAR_REPLACED, actor_id=user.id, subject_id=user.id, details={"file": old})


def lock_roles() -> None:
    """Wait for whoever is changing who runs the site, and keep others from it until the transaction ends."""
    advisory_lock("roles")


def delete_account(user: User) -> None:
    """Hide an account and everything of it at once, and end its sessions. Jobs purge the rows.

    The last admin stays. Of two who go at once, the second finds the first one gone.
    """
    lock_roles()
    db.session.refresh(user, ["role", "deleted_at"])
    if user.deleted_at is not None:
        return
    others = select(User.id).where(User.role == ADMIN, is_here(), User.id != user.id)
    if user.is_admin and db.session.scalar(others.limit(1)) is None:
        raise LastAdmin("You’re the only admin of this site. Make someone else an admin first.")
    user.deleted_at = clock.now()
    sessions.revoke_all(user)
    db.session.execute(upsert(RetiredHandle).values(handle=user.handle.lower()).on_conflict_do_nothing())
    activity.record(verbs.ACCOUNT_DELETED, actor_id=user.id, subject_id=user.id)


def choose_descriptions(user: User, wanted: str) -> None:
    """Set when an author is asked for descriptions of images."""
    user.descriptions = wanted
