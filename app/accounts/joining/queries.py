"""Who is invited, and who waits."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, or_, select

from app.accounts import passwords
from app.accounts.joining.models import WAITING, Invite, SignupRequest
from app.accounts.joining.operations import may_invite
from app.accounts.models import User
from app.core.emails import email_key
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.extensions import db


def invite_by_code(code: str) -> tuple[Invite, User] | None:
    """Return an invite that still works, and who sent it; none of somebody who may invite nobody any more."""
    named = select(Invite, User).join(User, User.id == Invite.inviter_id)
    found = db.session.execute(named.where(Invite.code == code, may_invite())).one_or_none()
    return None if found is None or found[0].is_over else (found[0], found[1])


def invites_of(user: User) -> Sequence[Invite]:
    """Return what a person has sent, the newest first."""
    theirs = select(Invite).where(Invite.inviter_id == user.id).order_by(Invite.id.desc()).limit(100)
    return db.session.scalars(theirs).all()


def all_invites(before: int | None) -> tuple[Sequence[tuple[Invite, User]], int | None]:
    """Return a page of everybody's invites, the newest first."""
    found = select(Invite, User).join(User, User.id == Invite.inviter_id).where(Invite.id < (before or MAX_ID))
    rows = db.session.execute(found.order_by(Invite.id.desc()).limit(PAGE_SIZE + 1)).all()
    return cut([(row[0], row[1]) for row in rows], key=lambda row: row[0].id)


def waiting_requests(after: int | None) -> tuple[Sequence[SignupRequest], int | None]:
    """Return a page of those who wait, the longest first."""
    waiting = select(SignupRequest).where(SignupRequest.state == WAITING, SignupRequest.id > (after or 0))
    found = db.session.scalars(waiting.order_by(SignupRequest.id).limit(PAGE_SIZE + 1)).all()
    return cut(found, key=lambda request: request.id)


def request_by_credentials(login: str, password: str) -> SignupRequest | None:
    """Return what somebody asked for who has no account. That nobody did takes just as long to find out."""
    if len(password) > passwords.MAX_LENGTH:
        return None
    name = login.strip().removeprefix("@")
    theirs = or_(func.lower(SignupRequest.handle) == name.lower(), SignupRequest.email == email_key(login))
    asked = select(SignupRequest).where(theirs).order_by(SignupRequest.id.desc())
    found = db.session.scalars(asked.limit(1)).one_or_none()
    return found if passwords.verify_password(found.password_hash if found else None, password) else None
