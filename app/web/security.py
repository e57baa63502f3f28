"""What every request and response must satisfy: clean input, strict headers, cookies that fit the connection."""

from __future__ import annotations

import time
from copy import deepcopy
from functools import lru_cache
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
# A browser that is led to an image makes a page around it, whose style it writes into attributes.
IMAGE_SECURITY_POLICY = "default-src 'none'; style-src-attr 'unsafe-inline'"
VERIFIED = 10_000  # cookies of which a process remembers that their signature is right
UNREADABLE = "Some of your text isn’t valid Unicode, so it can’t be saved. Nothing was changed."


class SessionInterface(SecureCookieSessionInterface):
    """Flask's signed cookie, marked Secure exactly when the connection is."""

    def __init__(self, app: Flask) -> None:
        serializer = super().get_signing_serializer(app)
        assert serializer is not None, "config.py sees to it that there is a key"
        self._serializer = serializer
        self._verified = lru_cache(maxsize=VERIFIED)(self._verify)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer:
        """Return the one that was made at the start: a new one for each request costs as much as its work."""
        return self._serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read a cookie. One whose signature was checked before is not checked again, but for its age."""
        value = request.cookies.get(self.get_cookie_name(app))
        if not value:
            return self.session_class()
        try:
            content, signed_at = self._verified(value)
        except BadSignature:
            return self.session_class()
        if time.time() - signed_at > app.permanent_session_lifetime.total_seconds():
            return self.session_class()
        # A request may change lists in it, such as those of messages.
        is_flat = not any(isinstance(value, list | dict) for value in content.values())
        return self.session_class(content if is_flat else deepcopy(content))

    def _verify(self, value: str) -> tuple[dict[str, Any], float]:
        content, signed_at = self._serializer.loads(value, return_timestamp=True)
        return content, signed_at.timestamp()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Leave files alone that anybody may keep: a shared cache would hand the cookie on."""
        if "public" in response.headers.get("Cache-Control", ""):
            return
        if session.modified:
            super().save_session(app, session, response)
        elif session.accessed:
            response.headers.add("Vary", "Cookie")


def refuse_unreadable_query() -> None:
    """Refuse null bytes and broken UTF-8 in an address: werkzeug would replace them silently."""
    if request.query_string:
        _refuse_unless_text(request.query_string)


def refuse_unreadable_body() -> None:
    """Refuse the same before it reaches a form."""
    if request.method == "GET":
        return
    if request.mimetype == "application/x-www-form-urlencoded":
        body = request.get_data(cache=True)
        if len(body) >= (request.max_content_length or 0):  # one that does not say its length is cut off silently
            raise RequestEntityTooLarge
        _refuse_unless_text(body)
    elif request.mimetype == "multipart/form-data":
        values = [value for values in request.form.listvalues() for value in values]
        if any("\x00" in text or "\ufffd" in text for text in [*request.form, *values]):
            raise BadRequest(UNREADABLE)
    elif request.method == "POST" and request.content_length:
        raise UnsupportedMediaType


def _refuse_unless_text(encoded: bytes) -> None:
    raw = unquote_to_bytes(encoded) if b"%" in encoded else encoded
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise BadRequest(UNREADABLE) from error
    if b"\x00" in raw:
        raise BadRequest(UNREADABLE)


Headers = list[tuple[str, str]]
FOR_EVERY_ANSWER: Headers = [
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
]
# These two an answer may say otherwise.
POLICY = ("Content-Security-Policy", CONTENT_SECURITY_POLICY)
KEPT_BY_NOBODY = ("Cache-Control", "private, no-cache")  # pages carry names and tokens
# What a page asks for by itself: on the way back, a browser would take what it kept of all that a page is made of.
ASKED_ANEW = ("Cache-Control", "private, no-store")
TWO_ANSWERS = "HX-Request, HX-Boosted, HX-History-Restore-Request"  # one address has a page and a fragment
STRICT_TRANSPORT = ("Strict-Transport-Security", "max-age=31536000")


def with_headers(headers: Headers, *, is_secure: bool) -> Headers:
    """Add the headers that keep other people's code out of our pages, and our pages out of shared caches.

    To the list that is sent: werkzeug looks through all headers for each that is set.
    """
    said = {name.lower() for name, _ in headers}
    varies = [TWO_ANSWERS]
    if "vary" in said:
        varies += [value for name, value in headers if name.lower() == "vary"]
        headers = [header for header in headers if header[0].lower() != "vary"]
    headers += FOR_EVERY_ANSWER
    headers.append(("Vary", ", ".join(varies)))
    if "content-security-policy" not in said:
        headers.append(POLICY)
    if "cache-control" not in said:
        headers.append(KEPT_BY_NOBODY)
    if is_secure:
        headers.append(STRICT_TRANSPORT)
    return headers
