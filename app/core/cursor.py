"""Cursors: where the next page starts, opaque and signed for one list and one reader."""

from __future__ import annotations

from collections.abc import Sequence

from app.core import tokens
from app.core.errors import BadCursor
from app.core.ids import MAX_ID


def sign(scope: str, before: int, *, viewer_id: int | None) -> str:
    """Return the cursor of what lies below `before` in the list `scope`, for this reader alone."""
    return sign_place(scope, [before], viewer_id=viewer_id)


def read(scope: str, cursor: str | None, *, viewer_id: int | None) -> int | None:
    """Return the id below which the page starts; None is the top. A foreign or tampered cursor is refused."""
    if cursor is None:
        return None
    try:
        [before] = read_place(scope, cursor, viewer_id=viewer_id)
    except ValueError as error:
        raise BadCursor from error
    if before > MAX_ID:
        raise BadCursor
    return before


def read_entry(entry_id: str | None) -> int | None:
    """Return the entry around which a page is shown, as an address names it; what cannot be one is refused."""
    if entry_id is None:
        return None
    digits = entry_id.isascii() and entry_id.isdigit() and len(entry_id) <= len(str(MAX_ID))
    if not digits or not 0 < int(entry_id) < MAX_ID:
        raise BadCursor
    return int(entry_id)


def sign_place(scope: str, place: Sequence[int], *, viewer_id: int | None) -> str:
    """Return the cursor of a place that takes more than one number to say."""
    return tokens.sign(_purpose(scope, viewer_id), place)


def read_place(scope: str, cursor: str | None, *, viewer_id: int | None) -> Sequence[int]:
    """Return the numbers that say where the page starts; none is the top. A foreign or tampered cursor is refused."""
    if cursor is None:
        return ()
    try:
        return tokens.read(_purpose(scope, viewer_id), cursor)
    except ValueError as error:
        raise BadCursor from error


def _purpose(scope: str, viewer_id: int | None) -> str:
    return f"cursor:{viewer_id or 'anyone'}:{scope}"
