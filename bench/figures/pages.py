"""Other pages that people read all day: a profile, and a post with its replies."""

from __future__ import annotations

from collections.abc import Iterator

from bench.reachable import compare_page
from bench.report import Figure
from bench.rich import REPLIES
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare each page with bare pages of its size."""
    pages = {
        "profile": ("profile of a loud author", stage.profiles),
        "permalink": (f"post with {REPLIES} replies", stage.permalinks),
    }
    for kind, (what, asks) in pages.items():
        yield from compare_page(stage, kind, what, asks, seconds=stage.scale.seconds / 4, share=0.5)
