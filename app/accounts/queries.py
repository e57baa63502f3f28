"""Find people."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, ColumnElement, Select, Text, bindparam, func, select, text
from sqlalchemy.orm import make_transient_to_detached
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.orm.util import identity_key

from app.accounts import passwords
from app.accounts.models import User, UserCounters
from app.accounts.standing import is_here
from app.core.emails import email_key
from app.core.statements import Compiled
from app.extensions import db

# An e-mail address may belong to several accounts; that it belongs to none takes just as long to find out.
ACCOUNTS_PER_EMAIL = 3


def user_by_handle(handle: str) -> User | None:
    """Return the person with this handle, in whatever case it was typed; also one who is suspended."""
    by_handle = select(User).where(func.lower(User.handle) == handle.lower(), User.deleted_at.is_(None))
    return db.session.scalars(by_handle).one_or_none()


class Shown(NamedTuple):
    """A person, as far as their pages show them and rules ask."""

    id: int
    handle: str
    name: str
    bio: str
    avatar: str | None
    role: str
    is_private: bool
    created_at: datetime
    deleted_at: datetime | None
    limited_until: datetime | None


def person_by_handle(handle: str) -> User | None:
    """Return the same with what their pages show, fast; code that needs more loads it."""
    found = _person_by_handle.rows_as(Shown, handle=handle.lower())
    return known_user(found[0]._asdict()) if found else None


@Compiled
def _person_by_handle() -> Select[*tuple[Any, ...]]:
    return select_person()


def select_person() -> Select[*tuple[Any, ...]]:
    """Select what is shown of the person with a `handle`, given in lower case."""
    is_theirs = (func.lower(User.handle) == bindparam("handle", type_=Text), is_here())
    return select(*(getattr(User, name) for name in Shown._fields)).where(*is_theirs)


def known_user(columns: Mapping[str, Any]) -> User:
    """Return a person as an object of the session, from what was read of them, without asking the database again."""
    user: User | None = db.session.identity_map.get(identity_key(User, columns["id"]))
    if user is None:
        user = User(**columns)
        make_transient_to_detached(user)
        db.session.add(user)
        return user
    for name in columns.keys() - user.__dict__.keys():
        set_committed_value(user, name, columns[name])
    return user


class Counters(NamedTuple):
    """How many there are, of one person."""

    followers: int
    following: int
    posts: int


def counters_of(user: User) -> Counters:
    """Return what the triggers counted of a person."""
    [counters] = _counters.rows_as(Counters, user_id=user.id)
    return counters


@Compiled
def _counters() -> Select[int, int, int]:
    columns = select(UserCounters.followers, UserCounters.following, UserCounters.posts)
    return columns.where(UserCounters.user_id == bindparam("user_id", type_=BigInteger))


def has_word_starting(prefix: str) -> ColumnElement[bool]:
    """Hold for the people with a word in their name that starts like this; `prefix` is letters and digits only."""
    words: ColumnElement[Any] = func.to_tsvector(text("'simple'::regconfig"), User.name)
    return words.op("@@")(func.to_tsquery(text("'simple'::regconfig"), f"'{prefix}':*"))


def user_by_credentials(login: str, password: str) -> User | None:
    """Return the person whose handle or e-mail and password these are."""
    if len(password) > passwords.MAX_LENGTH:
        return None
    if "@" not in login.strip().removeprefix("@"):
        user = user_by_handle(login.strip().removeprefix("@"))
        return user if passwords.verify_password(user and user.password_hash, password) else None
    by_email = select(User).where(User.email == email_key(login), User.deleted_at.is_(None))
    users: list[User | None] = [*db.session.scalars(by_email.order_by(User.id).limit(ACCOUNTS_PER_EMAIL))]
    users += [None] * (ACCOUNTS_PER_EMAIL - len(users))
    matching = [user for user in users if passwords.verify_password(user and user.password_hash, password)]
    return matching[0] if matching else None


def has_accounts() -> bool:
    """Say whether the site has been set up."""
    return db.session.scalar(select(User.id).limit(1)) is not None
