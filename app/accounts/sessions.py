"""Log-in sessions: started, loaded from the cookie, listed, revoked."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flask import session as cookie
from sqlalchemy import LargeBinary, Select, bindparam, delete, func, select, update

from app.accounts.models import LoginSession, User
from app.accounts.queries import known_user
from app.core import clock
from app.core.database import read_only
from app.core.statements import Compiled
from app.extensions import db

REMEMBERED = timedelta(days=60)
FORGOTTEN = timedelta(hours=24)
SEEN_EVERY = timedelta(minutes=10)
HALF_WAY_LASTS = timedelta(minutes=10)
HALF_WAY = "half_way"


def start(user: User, *, remember: bool, agent: str, address: str) -> None:
    """Start a session for a browser; the token is on the user, for the cookie, and nowhere else."""
    token = secrets.token_urlsafe(32)
    session = LoginSession(
        user_id=user.id,
        token_hash=digest_of(token),
        agent=agent[:300],
        address=address[:64],
        expires_at=func.now() + (REMEMBERED if remember else FORGOTTEN),
    )
    db.session.add(session)
    db.session.flush()
    user.session_token, user.session_id = token, session.id


def go_half_way(user: User, *, remember: bool) -> None:
    """Note in the cookie that a password was right. That is no session: only the page that asks for a code reads it."""
    at = int(clock.now().timestamp())
    cookie[HALF_WAY] = {"user": user.id, "at": at, "remember": remember, "password": _mark_of_password(user)}


def half_way() -> tuple[User, bool] | None:
    """Return who has given their password and not yet a code, and whether to remember them.

    Nobody if that was too long ago, or if they have another password by now.
    """
    half = cookie.get(HALF_WAY)
    if half is None or clock.now().timestamp() - half["at"] > HALF_WAY_LASTS.total_seconds():
        return None
    user = db.session.get(User, half["user"])
    if user is None or user.deleted_at is not None or half["password"] != _mark_of_password(user):
        return None
    return user, half["remember"]


def _mark_of_password(user: User) -> str:
    return digest_of(user.password_hash).hex()[:16]


def load_user(token: str) -> User | None:
    """Return the person behind a cookie's token, if the session still holds.

    With what every page shows of them; code that needs more loads it.
    """
    with read_only():  # also where something is written: who asks is not part of that
        rows = _behind_token.rows_as(_Behind, digest=digest_of(token))
    if not rows:
        return None
    [behind] = rows
    user = known_user({name: getattr(behind, name) for name in SHOWN})
    user.session_token, user.session_id = token, behind.session_id
    if behind.seen_long_ago:
        keep_alive(behind.session_id)
    return user


def keep_alive(session_id: int) -> None:
    """Note that a session is in use, here and in the browser."""
    _touch(session_id)
    cookie.modified = True  # sent again, so that the browser keeps it as long as we do


class _Behind(NamedTuple):
    """Who is behind a token: what every page needs of its reader, and the session."""

    id: int
    handle: str
    name: str
    avatar: str | None
    role: str
    is_private: bool
    repeat_hours: int
    hides_own_reposts: bool
    groups_conversations: bool
    starts_at_top: bool
    time_zone: str | None
    frozen_until: datetime | None
    suspended_until: datetime | None
    notice_id: int | None
    must_acknowledge: bool
    has_report_news: bool
    dismissed: list[int]
    session_id: int
    seen_long_ago: bool


# The columns of `User` among them.
SHOWN = _Behind._fields[: _Behind._fields.index("session_id")]


@Compiled
def _behind_token() -> Select[*tuple[Any, ...]]:
    return select_behind_token()


def select_behind_token() -> Select[*tuple[Any, ...]]:
    """Select who is logged in with the session whose token has a `digest`, and whether to note that it is in use."""
    seen_long_ago = LoginSession.last_seen_at < func.now() - SEEN_EVERY
    digest = bindparam("digest", type_=LargeBinary)
    holds = (LoginSession.token_hash == digest, LoginSession.expires_at > func.now(), User.deleted_at.is_(None))
    shown = [getattr(User, name) for name in SHOWN]
    session = (LoginSession.id.label("session_id"), seen_long_ago.label("seen_long_ago"))
    return select(*shown, *session).join(LoginSession, LoginSession.user_id == User.id).where(*holds)


def _touch(session_id: int) -> None:
    """Note that a session is in use, at most once in ten minutes; one that is used does not expire.

    On a connection of its own, because this happens while a page is read and must not commit what the request does.
    """
    lifetime = LoginSession.expires_at - LoginSession.last_seen_at
    touch = update(LoginSession).where(LoginSession.id == session_id)
    with db.engine.begin() as connection:
        connection.execute(touch.values(last_seen_at=func.now(), expires_at=func.now() + lifetime))


def sessions_of(user: User) -> Sequence[LoginSession]:
    """Return a person's sessions, the last used first."""
    theirs = select(LoginSession).where(LoginSession.user_id == user.id, LoginSession.expires_at > func.now())
    return db.session.scalars(theirs.order_by(LoginSession.last_seen_at.desc(), LoginSession.id.desc())).all()


def revoke(session_id: int, *, of: User) -> None:
    """End one of a person's sessions. Ending it twice is the same as once."""
    db.session.execute(delete(LoginSession).where(LoginSession.id == session_id, LoginSession.user_id == of.id))


def revoke_all(of: User, *, but: int | None = None) -> None:
    """End all sessions of a person, but for the one named."""
    theirs = delete(LoginSession).where(LoginSession.user_id == of.id)
    db.session.execute(theirs if but is None else theirs.where(LoginSession.id != but))


def forget_expired() -> None:
    """Delete the rows of sessions that have run out."""
    db.session.execute(delete(LoginSession).where(LoginSession.expires_at < func.now()))


def digest_of(token: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode()).digest()
