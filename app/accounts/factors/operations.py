"""Switch second factors on and off, and check what is given at a log-in. No code works twice."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.accounts.email.operations import notify
from app.accounts.factors import codes
from app.accounts.factors.models import AuthenticatorApp, RecoveryCode
from app.accounts.factors.queries import has_factor
from app.accounts.models import User
from app.accounts.passkeys.models import Passkey
from app.core.errors import Refused
from app.core.statements import rows_changed
from app.extensions import db

NOT_NOW = "That’s not the code your app shows right now. Wait for the next one, and check the clock of your phone."


class WrongCode(Refused):
    """A code that opens nothing."""

    field = "code"


def switch_on(user: User, *, offer: str, code: str) -> list[str]:
    """Ask for codes of an app from now on, once one of them was entered; return the recovery codes."""
    secret = codes.offered_secret(offer, user.id)
    if secret is None:
        raise WrongCode("This page was open too long. Start again, with a new square.")
    step = codes.step_of(secret, code)
    if step is None:
        raise WrongCode(NOT_NOW)
    row = upsert(AuthenticatorApp).values(user_id=user.id, secret=secret, last_step=step)
    if not rows_changed(row.on_conflict_do_nothing()):
        raise WrongCode("You have an authenticator app already. To use another one, switch this one off first.")
    notify(user, "factor_on")
    return renew_recovery_codes(user)


def switch_off(user: User) -> bool:
    """Ask for no more codes of an app, and say whether they were asked for before."""
    lock_factors(user)
    was_on = rows_changed(delete(AuthenticatorApp).where(AuthenticatorApp.user_id == user.id)) == 1
    tidy_recovery_codes(user)
    if was_on:
        notify(user, "factor_off")
    return was_on


def switch_off_all(user: User) -> bool:
    """Ask for the password alone from now on, and say whether it was otherwise before."""
    lock_factors(user)
    had_passkeys = rows_changed(delete(Passkey).where(Passkey.user_id == user.id)) > 0
    had_app = switch_off(user)
    if had_passkeys and not had_app:
        notify(user, "factor_off")
    return had_app or had_passkeys


def lock_factors(user: User) -> None:
    """Wait for changes of somebody's factors that are under way: together they might leave too many codes, or none."""
    db.session.execute(select(User.id).where(User.id == user.id).with_for_update(key_share=True))


def renew_recovery_codes(user: User) -> list[str]:
    """Give somebody ten new recovery codes; those from before are worth nothing. None without a second factor."""
    lock_factors(user)
    if not has_factor(user.id):
        return []
    db.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user.id))
    made = codes.new_recovery_codes()
    rows = [{"user_id": user.id, "code_hash": codes.recovery_hash(code)} for code in made]
    db.session.execute(insert(RecoveryCode), rows)
    return made


def tidy_recovery_codes(user: User) -> None:
    """Delete the recovery codes of somebody who has no second factor any more."""
    if not has_factor(user.id):
        db.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user.id))


def accept_code(user_id: int, code: str) -> bool:
    """Say whether this is a code of somebody's app that was not used before; of two uses at once one gets a yes."""
    secret = db.session.scalar(select(AuthenticatorApp.secret).where(AuthenticatorApp.user_id == user_id))
    step = codes.step_of(secret, code) if secret else None
    if step is None:
        return False
    later = update(AuthenticatorApp).where(AuthenticatorApp.user_id == user_id, AuthenticatorApp.last_step < step)
    return rows_changed(later.values(last_step=step)) == 1


def accept_recovery_code(user_id: int, code: str) -> bool:
    """Use up a recovery code, and say whether there was one."""
    this = (RecoveryCode.user_id == user_id, RecoveryCode.code_hash == codes.recovery_hash(code))
    return rows_changed(delete(RecoveryCode).where(*this)) == 1
