"""Add, use and remove passkeys. No answer of one is accepted twice."""

from __future__ import annotations

import logging

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import parse_authentication_credential_json, parse_registration_credential_json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import AuthenticationCredential
from webauthn.registration.verify_registration_response import VerifiedRegistration

from app.accounts.email.operations import notify
from app.accounts.factors.operations import lock_factors, renew_recovery_codes, tidy_recovery_codes
from app.accounts.factors.queries import has_factor
from app.accounts.models import User
from app.accounts.passkeys.models import Passkey
from app.accounts.passkeys.party import Party, party
from app.accounts.passkeys.queries import handle_of
from app.core import clock
from app.core.errors import Refused
from app.core.statements import rows_changed
from app.core.text import clean_line
from app.extensions import db

MAX_PASSKEYS = 20
MAX_CHARS = 20_000  # of an answer
AGAIN = "That didn’t work, or took too long. Try again."
# What the library raises over an answer that it cannot read, besides its own errors.
UNREADABLE = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)

log = logging.getLogger(__name__)


class BadPasskey(Refused):
    """An answer that adds no passkey."""

    field = "answer"


class LastFactor(Refused):
    """The only second factor of a person whose role needs one."""

    field = "name"


def add_passkey(user: User, *, challenge: bytes | None, answer: str, name: str) -> list[str]:
    """Keep a new passkey of a person; return recovery codes if it is their first second factor."""
    site = party()
    made = _verified_new(answer, challenge, site) if challenge and site else None
    if made is None:
        raise BadPasskey(AGAIN)
    lock_factors(user)
    is_first = not has_factor(user.id)
    if number_of(user.id) >= MAX_PASSKEYS:
        raise BadPasskey(f"You have {MAX_PASSKEYS} passkeys, which is as many as there can be. Remove one first.")
    row = upsert(Passkey).values(
        user_id=user.id,
        credential_id=made.credential_id,
        public_key=made.credential_public_key,
        sign_count=made.sign_count,
        name=clean_line(name),
    )
    if not rows_changed(row.on_conflict_do_nothing()):
        raise BadPasskey("This passkey has been added already.")
    notify(user, "passkey_added", name=clean_line(name))
    return renew_recovery_codes(user) if is_first else []


def number_of(user_id: int) -> int:
    """Return how many passkeys a person has."""
    return db.session.scalar(select(func.count()).where(Passkey.user_id == user_id)) or 0


def rename_passkey(passkey: Passkey, name: str) -> None:
    passkey.name = clean_line(name)


def remove_passkey(user: User, passkey_id: int, *, needs_factor: bool) -> bool:
    """Remove a passkey of a person, and say whether they had it; the last factor stays where one is needed."""
    lock_factors(user)
    theirs = (Passkey.id == passkey_id, Passkey.user_id == user.id)
    if not rows_changed(delete(Passkey).where(*theirs)):
        return False
    if needs_factor and not has_factor(user.id):
        raise LastFactor("Your role needs a second factor, and this is the only one you have. Add another one first.")
    tidy_recovery_codes(user)
    notify(user, "passkey_removed")
    return True


def accept_answer(answer: str, *, challenge: bytes | None, of: int | None = None, verifies: bool) -> User | None:
    """Return whose passkey signed a challenge: of anybody, or `of` one person. `verifies`: it checked who holds it."""
    site, given = party(), _parsed(answer)
    if site is None or given is None or not challenge:
        return None
    theirs = select(Passkey, User).join(User, User.id == Passkey.user_id)
    theirs = theirs.where(Passkey.credential_id == given.raw_id, User.deleted_at.is_(None))
    row = db.session.execute(theirs).one_or_none()
    if row is None or (of is not None and row.User.id != of):
        return None
    if of is None and given.response.user_handle != handle_of(row.User.id):
        return None
    count = _count_of(given, row.Passkey, challenge, site, verifies=verifies)
    return row.User if count is not None and _count(row.Passkey, count) else None


def _count_of(
    given: AuthenticationCredential, passkey: Passkey, challenge: bytes, site: Party, *, verifies: bool
) -> int | None:
    """Return how often a passkey says that it has signed, if its signature is right."""
    try:
        return verify_authentication_response(
            credential=given,
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=0,  # compared by `_count`, where two at once cannot both be right
            require_user_verification=verifies,
        ).new_sign_count
    except UNREADABLE:
        return None


def _count(passkey: Passkey, count: int) -> bool:
    """Note that a passkey was used. One that has counted less than before is a copy, or has one."""
    goes_on = Passkey.sign_count < count if count else Passkey.sign_count == 0  # some never count
    used = update(Passkey).where(Passkey.id == passkey.id, goes_on).values(sign_count=count, used_at=clock.now())
    if rows_changed(used):
        return True
    log.warning("passkey %s of account %s refused: it counts backwards (%s)", passkey.id, passkey.user_id, count)
    return False


def _verified_new(answer: str, challenge: bytes, site: Party) -> VerifiedRegistration | None:
    try:
        return verify_registration_response(
            credential=parse_registration_credential_json(answer[:MAX_CHARS]),
            expected_challenge=challenge,
            expected_rp_id=site.id,
            expected_origin=site.origin,
        )
    except UNREADABLE:
        return None


def _parsed(answer: str) -> AuthenticationCredential | None:
    try:
        return parse_authentication_credential_json(answer[:MAX_CHARS])
    except UNREADABLE:
        return None
