"""Signed numbers for addresses: opaque, for one purpose, only as they were given out."""

from __future__ import annotations

import binascii
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from functools import lru_cache

from flask import current_app

NUMBER_BYTES = 7  # an id has 53 bits
VERIFIED = 10_000  # tokens of which a process remembers that they are ours: an open page asks with the same again
SEAL_BYTES = 14  # 112 bits; with one number 21 bytes, which base64 spells without padding


class BadToken(ValueError):
    """Not a token of ours, or not for this purpose."""


def sign(purpose: str, numbers: Sequence[int]) -> str:
    """Return numbers as a token that says nothing to anybody else and holds for one purpose alone."""
    body = b"".join(number.to_bytes(NUMBER_BYTES) for number in numbers)
    return urlsafe_b64encode(_seal(current_app.config["SECRET_KEY"], purpose, body) + body).decode()


def read(purpose: str, token: str) -> Sequence[int]:
    """Return the numbers in a token; whatever was not given out for this purpose, letter by letter, is refused."""
    return _read(current_app.config["SECRET_KEY"], purpose, token)


@lru_cache(maxsize=VERIFIED)
def _read(key: str, purpose: str, token: str) -> Sequence[int]:
    try:
        raw = urlsafe_b64decode(token.encode("ascii"))
    except (binascii.Error, UnicodeEncodeError) as error:
        raise BadToken from error
    seal, body = raw[:SEAL_BYTES], raw[SEAL_BYTES:]
    if not hmac.compare_digest(seal, _seal(key, purpose, body)) or len(body) % NUMBER_BYTES:
        raise BadToken
    if urlsafe_b64encode(raw).decode() != token:  # base64 reads more than one spelling
        raise BadToken
    return tuple(int.from_bytes(body[start : start + NUMBER_BYTES]) for start in range(0, len(body), NUMBER_BYTES))


def _seal(key: str, purpose: str, body: bytes) -> bytes:
    message = f"{len(purpose)}:{purpose}:".encode("utf-8", "surrogatepass") + body
    return hmac.digest(key.encode(), message, "sha256")[:SEAL_BYTES]
