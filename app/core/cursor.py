"""Cursors: where the next page starts, opaque and signed for one list and one reader."""

from __future__ import annotations

from app.core import tokens
from app.core.errors import BadCursor
from app.core.ids import MAX_ID


def sign(scope: str, before: int, *, viewer_id: int | None) -> str:
    """Return the cursor of what lies below `before` in the list `scope`, for this reader alone."""
    return tokens.sign(_purpose(scope, viewer_id), [before])


def read(scope: str, cursor: str | None, *, viewer_id: int | None) -> int | None:
    """Return the id below which the page starts; None is the top. A foreign or tampered cursor is refused."""
    if cursor is None:
        return None
    try:
        [before] = tokens.read(_purpose(scope, viewer_id), cursor)
    except ValueError as error:
        raise BadCursor from error
    if before > MAX_ID:
        raise BadCursor
    return before


def _purpose(scope: str, viewer_id: int | None) -> str:
    return f"cursor:{viewer_id or 'anyone'}:{scope}"
