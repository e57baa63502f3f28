"""The passkeys of a person, and what browsers are told when they are to make or use one."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from webauthn import generate_authentication_options, generate_registration_options, options_to_json
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from app.accounts.models import User
from app.accounts.passkeys.models import Passkey
from app.accounts.passkeys.party import Party
from app.extensions import db
from app.site.settings import the_site


def passkeys_of(user_id: int) -> Sequence[Passkey]:
    """Return a person's passkeys, the first one first."""
    return db.session.scalars(select(Passkey).where(Passkey.user_id == user_id).order_by(Passkey.id)).all()


def passkey_of(user_id: int, passkey_id: int) -> Passkey | None:
    """Return one passkey of a person; another's is none."""
    theirs = select(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == user_id)
    return db.session.scalars(theirs).one_or_none()


def handle_of(user_id: int) -> bytes:
    """Return how a passkey names its person: by what says nothing of them."""
    return str(user_id).encode()


def options_to_add(user: User, *, site: Party, challenge: bytes) -> str:
    """Return what a browser needs to make a passkey, as JSON; one that is known already makes none."""
    wanted = AuthenticatorSelectionCriteria(
        resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
    )
    options = generate_registration_options(
        rp_id=site.id,
        rp_name=the_site().name,
        user_id=handle_of(user.id),
        user_name=user.handle,
        user_display_name=user.name,
        challenge=challenge,
        authenticator_selection=wanted,
        exclude_credentials=_known(user.id),
    )
    return options_to_json(options)


def options_to_use(user_id: int | None, *, site: Party, challenge: bytes, verifies: bool) -> str:
    """Return what a browser needs to use a passkey: of one person, or whichever it has for this site."""
    wanted = UserVerificationRequirement.REQUIRED if verifies else UserVerificationRequirement.PREFERRED
    known = [] if user_id is None else _known(user_id)
    options = generate_authentication_options(
        rp_id=site.id, challenge=challenge, allow_credentials=known, user_verification=wanted
    )
    return options_to_json(options)


def _known(user_id: int) -> list[PublicKeyCredentialDescriptor]:
    return [PublicKeyCredentialDescriptor(id=passkey.credential_id) for passkey in passkeys_of(user_id)]
