"""Show how far a long step is: a bar in a terminal, one line per step elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

WIDTH = 30
TITLE_WIDTH = 44
SECONDS_BETWEEN = 0.05

Item = TypeVar("Item")


def track(title: str, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items and show how many of them are done."""
    begun = shown = time.monotonic()
    for done, item in enumerate(items):
        if sys.stdout.isatty() and time.monotonic() - shown > SECONDS_BETWEEN:
            shown = time.monotonic()
            _write(f"\r  … {title:<28} {bar(done, len(items))}")
        yield item
    _write(f"{_clear()}  ✓ {title:<{TITLE_WIDTH}} {time.monotonic() - begun:5.1f} s\n")


def bar(done: int, total: int) -> str:
    """Draw a bar of which `done` of `total` is filled."""
    filled = done * WIDTH // max(total, 1)
    return f"{'█' * filled}{'░' * (WIDTH - filled)} {done * 100 // max(total, 1):3d} %"


def _clear() -> str:
    return "\r\x1b[K" if sys.stdout.isatty() else ""


def _write(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, errors="replace").decode(encoding))
    sys.stdout.flush()
