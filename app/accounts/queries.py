"""Find people."""

from __future__ import annotations

from typing import Any

from email_validator import EmailNotValidError, validate_email
from sqlalchemy import ColumnElement, func, select, text

from app.accounts import passwords
from app.accounts.models import User
from app.extensions import db

# An e-mail address may belong to several accounts; that it belongs to none takes just as long to find out.
ACCOUNTS_PER_EMAIL = 3


def user_by_handle(handle: str) -> User | None:
    """Return the person with this handle, in whatever case it was typed."""
    by_handle = select(User).where(func.lower(User.handle) == handle.lower(), User.deleted_at.is_(None))
    return db.session.scalars(by_handle).one_or_none()


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


def email_key(email: str) -> str:
    """Return the spelling under which an address would be stored."""
    try:
        return validate_email(email.strip(), check_deliverability=False).normalized.lower()
    except EmailNotValidError:
        return email.strip().lower()


def has_accounts() -> bool:
    """Say whether the site has been set up."""
    return db.session.scalar(select(User.id).limit(1)) is not None
