"""Show again who one is: what a browser that was left open, or a stolen session, cannot do."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select, update

from app.accounts import passwords
from app.accounts.factors.operations import accept_code
from app.accounts.models import LoginSession, User
from app.accounts.passkeys.operations import accept_answer
from app.core import clock
from app.extensions import db

LASTS = timedelta(minutes=15)


def is_proven(session_id: int) -> bool:
    """Say whether it was shown lately, in this session, who one is. A log-in shows it, too."""
    proven = LoginSession.proven_at > clock.now() - LASTS
    return db.session.scalar(select(LoginSession.id).where(LoginSession.id == session_id, proven)) is not None


def prove(user: User, session_id: int, answer: str) -> bool:
    """Take a password, or a code of one's app, and say whether it is right."""
    answer = answer[: passwords.MAX_LENGTH + 1]
    if not accept_code(user.id, answer) and not passwords.verify_password(user.password_hash, answer):
        return False
    _note(user, session_id)
    return True


def prove_by_passkey(user: User, session_id: int, answer: str, *, challenge: bytes | None) -> bool:
    """Take what one's passkey signed, once it has checked who holds it, and say whether it is right."""
    if accept_answer(answer, challenge=challenge, of=user.id, verifies=True) is None:
        return False
    _note(user, session_id)
    return True


def _note(user: User, session_id: int) -> None:
    ours = update(LoginSession).where(LoginSession.id == session_id, LoginSession.user_id == user.id)
    db.session.execute(ours.values(proven_at=clock.now()))
