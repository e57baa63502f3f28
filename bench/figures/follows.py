"""F9, flat reads: what it costs to follow a hundred times as many accounts."""

from __future__ import annotations

from collections.abc import Iterator

from bench.data import FOLLOWED_BY_FEW, FOLLOWED_BY_MANY
from bench.load import Line
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Read two home pages in turns over one connection."""
    stage.check_warm()
    line = Line(stage.site.port)
    few, many = stage.readers[0].home(), stage.many.home()
    seconds = medians_in_turns(
        {"few": lambda: line.ask(few).seconds, "many": lambda: line.ask(many).seconds},
        rounds=stage.scale.rounds,
        requests=stage.scale.requests,
    )
    line.close()
    stage.check_warm()
    yield ratio(
        f"home page p50, reader follows {FOLLOWED_BY_MANY:,}, against reader follows {FOLLOWED_BY_FEW}",
        (f"{FOLLOWED_BY_MANY:,}: ms", [1000 * value for value in seconds["many"]]),
        (f"{FOLLOWED_BY_FEW}: ms", [1000 * value for value in seconds["few"]]),
        bar=Bar(most=1.15),
        note=f"warm windows in Redis over {stage.scale.posts:,} posts",
    )
