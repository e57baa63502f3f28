"""Pages of long lists, hung on signed cursors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import quote

from flask import request

from app.core import cursor

T = TypeVar("T")
U = TypeVar("U")

PAGE_SIZE = 20


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


def cut(rows: Sequence[T], size: int = PAGE_SIZE, *, key: Callable[[T], int]) -> tuple[Sequence[T], int | None]:
    """Split `size + 1` fetched rows into a page and the id below which the next one starts."""
    if len(rows) <= size:
        return rows, None
    return rows[:size], key(rows[size - 1])
