"""Cut a page from a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")
PAGE_SIZE = 20


def cut(rows: Sequence[T], size: int = PAGE_SIZE, *, key: Callable[[T], int]) -> tuple[Sequence[T], int | None]:
    """Split `size + 1` fetched rows into a page and the id below which the next one starts."""
    if len(rows) <= size:
        return rows, None
    return rows[:size], key(rows[size - 1])
