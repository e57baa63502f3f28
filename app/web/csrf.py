"""The token that forms carry: signed once for each session, not once for each page."""

from __future__ import annotations

from functools import lru_cache

from flask import current_app, session
from flask_wtf.csrf import generate_csrf
from itsdangerous import URLSafeTimedSerializer

FIELD = "csrf_token"


def current_token() -> str:
    """Return the token of this session, which is checked by Flask-WTF when a form comes back."""
    secret = session.get(FIELD)
    if secret is None:
        token: str = generate_csrf()  # makes the secret
        return token
    return _signed(current_app.secret_key, secret)


@lru_cache(maxsize=10_000)
def _signed(key: str, secret: str) -> str:
    """Sign a session's secret as Flask-WTF does. Tokens hold for as long as the session does: WTF_CSRF_TIME_LIMIT."""
    token = URLSafeTimedSerializer(key, salt="wtf-csrf-token").dumps(secret)
    return token if isinstance(token, str) else token.decode()
