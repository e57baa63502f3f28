"""Passwords: hashed with argon2, checked in the same time whether or not there is an account."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_LENGTH = 8
MAX_LENGTH = 256
TOO_COMMON = frozenset(
    """
    password password1 password12 password123 passw0rd 12345678 123456789 1234567890 qwertyui qwertyuiop qwerty123
    iloveyou letmein1 welcome1 sunshine princess football baseball trustno1 superman abcd1234 abc12345 changeme
    """.split()
)

hasher = PasswordHasher()


def hash_password(password: str) -> str:
    """Return what is stored instead of a password."""
    return hasher.hash(password)


def verify_password(stored: str | None, password: str) -> bool:
    """Check a password. With no account to check against the same work is done, so that time gives no hint."""
    try:
        hasher.verify(stored or _nobodys_hash(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


def needs_rehash(stored: str) -> bool:
    """Say whether a hash was made with weaker settings than today's."""
    return hasher.check_needs_rehash(stored)


@cache
def _nobodys_hash() -> str:
    return hasher.hash("nobody has this password")
