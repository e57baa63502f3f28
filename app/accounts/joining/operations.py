"""Invite people, ask to join, and decide about it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.accounts import passwords
from app.accounts.joining.models import DECLINED, WAITING, Invite, SignupRequest
from app.accounts.models import STAFF, User
from app.accounts.operations import TAKEN, HandleTaken, check_handle, normalise_email, open_account
from app.accounts.standing import holds_sql, is_here
from app.core import clock
from app.core.errors import Refused
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.core.text import clean, clean_line
from app.extensions import db
from app.site.models import MEMBERS_INVITE, SiteSettings

MAX_USES, MAX_OPEN_INVITES = 100, 20
LASTS: dict[str, timedelta | None] = {
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "ever": None,
}
MAX_WAITING = 3  # of one e-mail address
KEPT = timedelta(days=30)  # what was declined, so that who asked can read why; and what nobody decides
OVER = "This invite doesn’t work any more. Ask the person who sent it for a new one."


class BadUses(Refused):
    """A number of people that no invite is for."""

    field = "uses"


class InviteOver(Refused):
    """Somebody else was quicker, or the invite was taken back."""

    field = "handle"


class TooManyAsked(Refused):
    """As many wait with one e-mail address as can."""

    field = "email"


def create_invite(*, by: User, uses: int, lasts: str, follows: bool) -> Invite:
    """Make a link by which so many people can sign up."""
    if not 1 <= uses <= MAX_USES:
        raise BadUses(f"Enter a number from 1 to {MAX_USES}.")
    duration = LASTS.get(lasts)
    if duration is None and lasts not in LASTS:
        raise BadUses("Choose how long it lasts.")
    advisory_lock(f"invites:{by.id}")  # two at once would both find room for the last one
    theirs = select(func.count()).select_from(Invite).where(Invite.inviter_id == by.id, *still_open())
    if (db.session.scalar(theirs) or 0) >= MAX_OPEN_INVITES:
        raise BadUses(f"You have {MAX_OPEN_INVITES} invites that still work. Revoke one first.")
    expires_at = clock.now() + duration if duration else None
    invite = Invite(
        code=secrets.token_urlsafe(12), inviter_id=by.id, max_uses=uses, expires_at=expires_at, follows=follows
    )
    db.session.add(invite)
    return invite


def still_open() -> tuple[ColumnElement[bool], ...]:
    """Hold for invites by which somebody can sign up."""
    lasts = or_(Invite.expires_at.is_(None), Invite.expires_at > clock.now())
    return Invite.revoked_at.is_(None), Invite.uses < Invite.max_uses, lasts


def may_invite() -> ColumnElement[bool]:
    """Hold for people who may invite others now: a link of theirs works no longer than that."""
    all_may = select(SiteSettings.inviters).where(SiteSettings.inviters == MEMBERS_INVITE).exists()
    return and_(is_here(), ~holds_sql(User.frozen_until), or_(User.role.in_(STAFF), all_may))


def revoke_invite(invite_id: int, *, of: User | None) -> Invite | None:
    """Have an invite work no longer, of one person or of anybody; return it if it still worked."""
    revoked = update(Invite).where(Invite.id == invite_id, Invite.revoked_at.is_(None)).values(revoked_at=clock.now())
    if of is not None:
        revoked = revoked.where(Invite.inviter_id == of.id)
    return db.session.scalars(revoked.returning(Invite)).one_or_none()


def sign_up_by_invite(code: str, *, handle: str, name: str, email: str, password: str) -> tuple[User, Invite]:
    """Make an account by an invite. Of two who take the last use of it at once the second is refused."""
    password_hash = passwords.hash_password(password)  # slow, so before anything is locked
    may = select(User.id).where(User.id == Invite.inviter_id, may_invite()).exists()
    used = update(Invite).where(Invite.code == code, *still_open(), may).values(uses=Invite.uses + 1)
    invite = db.session.scalars(used.returning(Invite), execution_options={"synchronize_session": False}).one_or_none()
    if invite is None:
        raise InviteOver(OVER)
    return open_account(handle=handle, name=name, email=email, password_hash=password_hash), invite


def ask_to_join(*, handle: str, name: str, email: str, password: str, note: str) -> SignupRequest:
    """Ask for an account. The handle is kept for who asked until somebody decides."""
    password_hash = passwords.hash_password(password)
    check_handle(handle)
    values = {
        "handle": handle,
        "name": clean_line(name),
        "email": normalise_email(email),
        "password_hash": password_hash,
        "note": clean(note),
    }
    _refuse_one_more(values["email"])
    request = (
        upsert(SignupRequest)
        .values(values)
        .on_conflict_do_nothing(index_elements=[func.lower(text("handle"))], index_where=text("state = 'waiting'"))
    )
    made = db.session.scalars(request.returning(SignupRequest)).one_or_none()
    if made is None:
        raise HandleTaken(TAKEN)
    return made


def _refuse_one_more(email: str) -> None:
    advisory_lock(f"asked:{email}")  # two at once would both find room for the last one
    waiting = (SignupRequest.email == email, SignupRequest.state == WAITING)
    if (db.session.scalar(select(func.count()).select_from(SignupRequest).where(*waiting)) or 0) >= MAX_WAITING:
        raise TooManyAsked("Several requests with this address are waiting already. Wait until they’re decided.")


def lock_waiting(request_ids: Sequence[int]) -> Sequence[SignupRequest]:
    """Return those requests that still wait, for a decision that nobody else can take meanwhile."""
    waiting = select(SignupRequest).where(SignupRequest.id.in_(request_ids), SignupRequest.state == WAITING)
    return db.session.scalars(waiting.order_by(SignupRequest.id).with_for_update()).all()


def approve(request: SignupRequest) -> User:
    """Let somebody in who asked: from now on they can log in."""
    asked = {name: getattr(request, name) for name in ("handle", "name", "email", "password_hash")}
    db.session.delete(request)
    db.session.flush()
    return open_account(**asked)


def decline(request: SignupRequest, *, reason: str) -> None:
    """Turn somebody down who asked; their handle is free again."""
    request.state, request.decided_at, request.reason = DECLINED, clock.now(), clean(reason)


def forget_requests() -> None:
    """Delete requests that were declined a while ago, and those that nobody decided for as long."""
    before = clock.now() - KEPT
    undecided = and_(SignupRequest.state == WAITING, SignupRequest.asked_at < before)
    rows_changed(delete(SignupRequest).where(or_(SignupRequest.decided_at < before, undecided)))
