"""Browsers that were seen before: each remembers itself, in a signed cookie, for whom it has been used."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer

COOKIE = "browser"
REMEMBERED = timedelta(days=365)
MAX_PEOPLE = 20  # who share a browser
MAX_CHARS = 2000


def people_in(cookie: str | None) -> list[str]:
    """Return the marks of the people who have logged in with a browser; nobody if its cookie is not from us."""
    if not cookie or len(cookie) > MAX_CHARS:
        return []
    try:
        people: list[str] = _signer().loads(cookie)
    except BadSignature:
        return []
    return people


def cookie_with(user_id: int, people: list[str]) -> str:
    """Return the cookie of a browser with which one more person has logged in."""
    others = [mark for mark in people if mark != mark_of(user_id)]
    cookie = _signer().dumps([*others, mark_of(user_id)][-MAX_PEOPLE:])
    return cookie if isinstance(cookie, str) else cookie.decode()


def mark_of(user_id: int) -> str:
    """Return what a browser remembers of a person: not who it is."""
    key = f"{current_app.secret_key!r}:browser:{user_id}"
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt="browser")
