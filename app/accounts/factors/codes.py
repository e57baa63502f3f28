"""Codes: those that an app shows, those that people keep on paper, and the secret that an app is given."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta

import pyotp
import segno
from flask import current_app
from itsdangerous import BadSignature, URLSafeTimedSerializer
from pyotp.utils import strings_equal

from app.core import clock

NUMBER_OF_RECOVERY_CODES = 10
STEP_SECONDS = 30
STEPS_APART = 1  # by which the clocks of a phone and of this machine may differ, either way
OFFER_LASTS = timedelta(minutes=30)
MAX_CHARS = 500
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # none that looks like another


def step_of(secret: str, code: str) -> int | None:
    """Return the half minute in which an app with a secret shows a code, if that is about now."""
    digits = re.sub(r"[\s-]", "", code)
    if not re.fullmatch(r"[0-9]{6}", digits):
        return None
    totp, now = pyotp.TOTP(secret), int(clock.now().timestamp()) // STEP_SECONDS
    for step in range(now - STEPS_APART, now + STEPS_APART + 1):
        if strings_equal(totp.generate_otp(step), digits):
            return step
    return None


def offer_secret(user_id: int) -> str:
    """Return a new secret, signed for one account: it is kept nowhere until a code shows that an app has it."""
    token = _signer().dumps([user_id, pyotp.random_base32()])
    return token if isinstance(token, str) else token.decode()


def offered_secret(token: str, user_id: int) -> str | None:
    """Return the secret that an account was offered; None if it was another's, or too long ago."""
    if len(token) > MAX_CHARS:
        return None
    try:
        offered_to, secret = _signer().loads(token, max_age=int(OFFER_LASTS.total_seconds()))
    except BadSignature:
        return None
    return str(secret) if offered_to == user_id else None


def address_of(secret: str, *, handle: str, site: str) -> str:
    """Return what the square says to an app."""
    return pyotp.TOTP(secret).provisioning_uri(name=f"@{handle}", issuer_name=site.replace(":", " "))


def square_of(address: str) -> str:
    """Return an address as a square that phones read, as SVG."""
    return segno.make(address, error="m").svg_inline(scale=5, border=3, dark="#000", light="#fff", omitsize=True)


def new_recovery_codes() -> list[str]:
    """Return ten codes of 80 bits each: too many to be found from their hashes."""
    return ["-".join(_piece() for _ in range(4)) for _ in range(NUMBER_OF_RECOVERY_CODES)]


def recovery_hash(code: str) -> bytes:
    """Return what is kept of a recovery code, however it is typed."""
    return hashlib.sha256(re.sub(r"[\s-]", "", code).lower().encode()).digest()


def _piece() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(4))


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.secret_key or "", salt="offered-secret")
