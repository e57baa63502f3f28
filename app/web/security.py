"""What every request and response must satisfy: clean input, strict headers, cookies that fit the connection."""

from __future__ import annotations

from urllib.parse import unquote_to_bytes

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface, SessionMixin
from itsdangerous import URLSafeTimedSerializer
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
UNREADABLE = "Some of your text isn’t valid Unicode, so it can’t be saved. Nothing was changed."


class SessionInterface(SecureCookieSessionInterface):
    """Flask's signed cookie, marked Secure exactly when the connection is."""

    def __init__(self, app: Flask) -> None:
        self._serializer = super().get_signing_serializer(app)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return the one that was made at the start: a new one for each request costs as much as its work."""
        return self._serializer

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Leave files alone that anybody may keep: a shared cache would hand the cookie on."""
        if not response.cache_control.public:
            super().save_session(app, session, response)


def refuse_unreadable_input() -> None:
    """Refuse null bytes and broken UTF-8 before they reach a form: werkzeug would replace them silently."""
    _refuse_unless_text(request.query_string)
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
    raw = unquote_to_bytes(encoded)
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        raise BadRequest(UNREADABLE) from error
    if b"\x00" in raw:
        raise BadRequest(UNREADABLE)


def add_security_headers(response: Response) -> Response:
    """Set the headers that keep other people's code out of our pages."""
    headers = response.headers
    headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "same-origin"
    headers["Cross-Origin-Opener-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=()"
    if request.is_secure:
        headers["Strict-Transport-Security"] = "max-age=31536000"
    if "Cache-Control" not in headers:  # pages carry names and tokens: no shared cache may keep them
        headers["Cache-Control"] = "private, no-cache"
    return response
