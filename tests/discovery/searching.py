"""Search as a person does."""

from __future__ import annotations

from urllib.parse import quote

from tests.people import Member


def search(typed: str, within: str = "posts") -> str:
    """Return the address of a search."""
    return f"/search?q={quote(typed, safe='')}" + (f"&in={within}" if within else "")


def found(who: Member, typed: str) -> list[int]:
    """Return all posts that a search gives, page by page, in its order."""
    return who.feed(search(typed))
