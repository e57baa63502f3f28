"""Pages of long lists from a request, hung on signed cursors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

from flask import request

from app.core import cursor
from app.core.days import end_of

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Items, and the address of what follows. The end is said by `next_url`, never by the number of items."""

    items: Sequence[T]
    next_url: str | None
    is_first: bool

    def map(self, turn: Callable[[Sequence[T]], Sequence[U]]) -> Page[U]:
        """Return the same page of other things: ids turned into cards. It may hold fewer, and still leads on."""
        return Page(turn(self.items), self.next_url, self.is_first)


def read_page(
    scope: str,
    fetch: Callable[[int | None], tuple[Sequence[T], int | None]],
    *,
    viewer_id: int | None,
    path: str | None = None,
) -> Page[T]:
    """Fetch the page that the request's cursor names in the list `scope`; next pages are found under `path`."""
    before = cursor.read(scope, request.args.get("cursor"), viewer_id=viewer_id)
    items, next_before = fetch(before)
    next_url = None
    if next_before is not None:
        next_url = (
            f"{path or quote(request.path, safe='/@')}?cursor={cursor.sign(scope, next_before, viewer_id=viewer_id)}"
        )
    return Page(items, next_url, is_first=before is None)


def at_day(scope: str, day: date, *, viewer_id: int | None, path: str, top: str | None = None) -> str:
    """Return the address of the list `scope` from a day on: the same pages under the same cursor, made from a date."""
    before = end_of(day)
    if before is None:
        return top or path
    return f"{path}?cursor={cursor.sign(scope, before, viewer_id=viewer_id)}"


def read_page_at(
    scope: str,
    fetch: Callable[[Sequence[int]], tuple[Sequence[T], Sequence[int] | None]],
    *,
    viewer_id: int | None,
    keeping: Mapping[str, str],
) -> Page[T]:
    """Fetch a page whose place takes several numbers to say; the address of the next one keeps what this one asked."""
    at = cursor.read_place(scope, request.args.get("cursor"), viewer_id=viewer_id)
    items, next_at = fetch(at)
    next_url = None
    if next_at is not None:
        signed = cursor.sign_place(scope, next_at, viewer_id=viewer_id)
        next_url = f"{request.path}?{urlencode({**keeping, 'cursor': signed})}"
    return Page(items, next_url, is_first=not at)
