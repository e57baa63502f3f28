"""What word filters and followed tags add to a home page."""

from __future__ import annotations

from collections.abc import Iterator

from bench import rich
from bench.load import Line
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Read two home pages in turns over one connection."""
    stage.check_warm()
    line = Line(stage.site.port)
    plain, filtering = stage.readers[0].home(), stage.filtering.home()
    seconds = medians_in_turns(
        {"plain": lambda: line.ask(plain).seconds, "filtering": lambda: line.ask(filtering).seconds},
        rounds=stage.scale.rounds,
        requests=stage.scale.requests,
    )
    line.close()
    stage.check_warm()
    filters, tags = len(list(rich.filters())), len(rich.FOLLOWED_TAGS)
    yield ratio(
        f"home page p50, reader with {filters} word filters and {tags} followed tags, against without",
        ("with: ms", [1000 * value for value in seconds["filtering"]]),
        ("without: ms", [1000 * value for value in seconds["plain"]]),
        bar=Bar(most=2),
    )
