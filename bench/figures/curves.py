"""Two curves: a home page against how many somebody follows, a post against how many followers its author has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median

from bench.figures.posting import poster
from bench.load import Ask, Line
from bench.report import Figure
from bench.rounds import medians_in_turns
from bench.stage import Stage

READING = "home page p50 in ms, by accounts followed"
POSTING = "posting p50 in ms, by followers"


def measure(stage: Stage) -> Iterator[Figure]:
    """Take all points of a curve in turns over one connection."""
    stage.check_warm()
    line = Line(stage.site.port)
    homes = {number: stage.browser(reader).home() for number, reader in stage.cast.following.items()}
    yield _curve(stage, READING, {number: partial(_read, line, home) for number, home in homes.items()})
    stage.check_warm()
    authors = {number: stage.browser(author) for number, author in stage.cast.followed.items()}
    yield _curve(stage, POSTING, {number: poster(stage, author, line) for number, author in authors.items()})
    stage.discard_work()
    line.close()


def _read(line: Line, home: Ask) -> float:
    return line.ask(home).seconds


def _curve(stage: Stage, name: str, sides: Mapping[int, Callable[[], float]]) -> Figure:
    """Return a curve as a figure: its points, and how its highest compares with its lowest."""
    for side in sides.values():
        side()
    named = {f"{number:,}": side for number, side in sides.items()}
    seconds = medians_in_turns(named, rounds=stage.scale.rounds, requests=stage.scale.requests)
    points = {number: 1000 * median(values) for number, values in seconds.items()}
    return Figure(f"{name}: highest against lowest", max(points.values()) / min(points.values()), behind=points)
