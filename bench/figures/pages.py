"""Other pages that people read all day: a profile, and a post with its replies."""

from __future__ import annotations

from collections.abc import Iterator

from bench.against_bare import compare_pages
from bench.reachable import reachable
from bench.report import Bar, Figure
from bench.rich import REPLIES
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare each page with a bare page of its size."""
    pages = {
        "profile": ("profile of a loud author", stage.profiles, Bar(least=0.25)),
        "permalink": (f"post with {REPLIES} replies", stage.permalinks, Bar(least=0.2)),
    }
    for kind, (name, asks, bar) in pages.items():
        compared = compare_pages(stage, asks, seconds=stage.scale.seconds / 4)
        yield compared.rates(f"{name} against a bare page of its size: pages/s", bar=bar)
        yield compared.costs("the same: processor time per page (web server, Postgres and Valkey)")
        yield from reachable(stage, kind, asks)
