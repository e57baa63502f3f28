"""The home page of a reader whose feed has everything that a feed can have."""

from __future__ import annotations

from collections.abc import Iterator

from bench.reachable import compare_page
from bench.report import Figure
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Compare the home pages of rich readers with bare pages of their size."""
    yield from compare_page(
        stage,
        "rich",
        "home page of a rich reader",
        stage.rich_homes,
        seconds=stage.scale.seconds / 2,
        share=0.7,
        note="warm; reposts, replies, quotes, images; mutes, blocks, volumes, muted conversations",
    )
