"""Addresses of accounts: confirmed by a link, changed, and used to get back in."""

from __future__ import annotations

from typing import Any

from app.accounts import passwords, sessions
from app.accounts.models import User
from app.accounts.operations import normalise_email
from app.core import clock
from app.core.emails import email_key
from app.extensions import db
from app.mail import links
from app.mail.models import CONFIRM, RESET, MailLink
from app.mail.operations import send
from app.outbox import names
from app.outbox.rows import open_row


def ask_to_confirm(user: User) -> None:
    """Send a link to the address of an account, which shows that they read what is sent there."""
    link = links.make_link(user.id, CONFIRM, user.email)
    if link is not None:
        send("confirm", to=user.email, user_id=user.id, values={"handle": user.handle}, links=[link])


def confirm(link: MailLink) -> User | None:
    """Note that an address is its person's. None if the link has been used, or they have another address by now."""
    user = _use(link)
    if user is not None:
        user.email_confirmed_at = clock.now()
    return user


def change_email(user: User, email: str) -> None:
    """Set a new address, to be confirmed, and tell a confirmed old one; what was sent there is worth nothing more."""
    email = normalise_email(email)
    db.session.refresh(user, ["email", "email_confirmed_at"], with_for_update=True)
    if email == user.email:
        return
    notify(user, "address_changed")
    links.drop_links(user.id, CONFIRM, RESET)
    user.email, user.email_confirmed_at = email, None
    ask_to_confirm(user)


def change_password(user: User, password: str) -> None:
    """Set a new password, end all other sessions, and let no link for another one lead anywhere."""
    user.password_hash = passwords.hash_password(password)
    sessions.revoke_all(user, but=user.session_id)
    links.drop_links(user.id, RESET)


def ask_for_reset(email: str) -> None:
    """Have links for a new password sent to an address. Whether it has accounts, only the job finds out.

    So a known address is answered like an unknown one, and as fast.
    """
    open_row(names.SEND_RESET, 0, details={"email": email_key(email)})


def reset_password(link: MailLink, password: str) -> User | None:
    """Set a new password by a link and end all sessions. None if the link is worth nothing any more."""
    password_hash = passwords.hash_password(password)  # slow, so before anything is locked
    user = _use(link)
    if user is None:
        return None
    user.password_hash = password_hash
    sessions.revoke_all(user)
    links.drop_links(user.id, RESET)
    notify(user, "password_reset")
    return user


def notify(user: User, template: str, **values: Any) -> None:
    """Tell a person by e-mail what happened to their account; only at an address of which we know that it is theirs."""
    if user.email_confirmed_at is not None:
        send(template, to=user.email, user_id=user.id, values={"handle": user.handle, **values})


def _use(link: MailLink) -> User | None:
    """Use up a link, and return whose it is, locked: of two uses at once one finds it used."""
    if not links.use(link):
        return None
    user = db.session.get(User, link.user_id, with_for_update=True, populate_existing=True)
    return user if user and user.deleted_at is None and user.email == link.email else None
