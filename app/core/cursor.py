"""Cursors: where the next page starts, opaque and signed for one list and one reader."""

from __future__ import annotations

from flask import current_app
from itsdangerous import BadData, URLSafeSerializer

from app.core.errors import BadCursor
from app.core.ids import MAX_ID


def sign(scope: str, before: int, *, viewer_id: int | None) -> str:
    """Return the cursor of what lies below `before` in the list `scope`, for this reader alone."""
    return _serializer(scope, viewer_id).dumps(before)


def read(scope: str, cursor: str | None, *, viewer_id: int | None) -> int | None:
    """Return the id below which the page starts; None is the top. A foreign or tampered cursor is refused."""
    if cursor is None:
        return None
    try:
        before = _serializer(scope, viewer_id).loads(cursor)
    except (BadData, UnicodeError) as error:
        raise BadCursor from error
    if type(before) is not int or not 0 <= before <= MAX_ID:
        raise BadCursor
    if sign(scope, before, viewer_id=viewer_id) != cursor:
        raise BadCursor
    return before


def _serializer(scope: str, viewer_id: int | None) -> URLSafeSerializer:
    secret_key = current_app.config["SECRET_KEY"]
    return URLSafeSerializer(secret_key, salt=f"cursor:{scope}:{viewer_id or 'anyone'}")
