"""The home page of a reader whose feed has everything that a feed can have."""

from __future__ import annotations

from collections.abc import Iterator

from bench.against_bare import compare_pages
from bench.reachable import reachable
from bench.report import Bar, Figure
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare the home pages of rich readers with a bare page of their size."""
    compared = compare_pages(stage, stage.rich_homes, seconds=stage.scale.seconds / 2)
    yield compared.rates(
        "home page of a rich reader against a bare page of its size: pages/s",
        bar=Bar(least=0.28),
        note="warm; reposts, replies, quotes, images; mutes, blocks, volumes, muted conversations",
    )
    yield compared.costs("the same: processor time per page (web server, Postgres and Valkey)")
    yield from reachable(stage, "rich", stage.rich_homes)
