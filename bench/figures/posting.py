"""F8, flat writes: what it costs to have ten thousand times as many followers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count

from bench.data import FOLLOWERS_OF_SMALL
from bench.load import Line
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Browser, Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Let two authors post in turns over one connection."""
    line = Line(stage.site.port)
    celebrity, small = (stage.browser(stage.cast.followed[size]) for size in (stage.scale.crowd, FOLLOWERS_OF_SMALL))
    sides = {"celebrity": poster(stage, celebrity, line), "small": poster(stage, small, line)}
    for post in sides.values():
        post()
    seconds = medians_in_turns(sides, rounds=stage.scale.rounds, requests=stage.scale.requests)
    line.close()
    stage.discard_work()
    yield ratio(
        f"posting p50, author with {stage.scale.crowd:,} followers, against author with {FOLLOWERS_OF_SMALL}",
        (f"{stage.scale.crowd:,}: ms", [1000 * value for value in seconds["celebrity"]]),
        (f"{FOLLOWERS_OF_SMALL}: ms", [1000 * value for value in seconds["small"]]),
        bar=Bar(most=1.15),
    )


def poster(stage: Stage, author: Browser, line: Line) -> Callable[[], float]:
    """Return what lets an author post once more, and says how long that took."""
    token, numbers = stage.csrf_token(author), count(1)

    def post() -> float:
        return line.ask(author.post(f"Another thought, number {next(numbers)} #bench", csrf_token=token)).seconds

    return post
