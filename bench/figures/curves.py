"""Two curves: a home page against how many somebody follows, a post against how many followers its author has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median

from bench.figures.posting import poster
from bench.load import Ask, Line
from bench.pictures import save_curve
from bench.report import Figure
from bench.rounds import medians_in_turns
from bench.stage import Stage

READING = "home page p50 in ms, by accounts followed"
POSTING = "posting p50 in ms, by followers"
PICTURES = {
    READING: ("curve-reading.svg", "accounts that the reader follows"),
    POSTING: ("curve-posting.svg", "followers of the author"),
}


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


def save(figures: Iterable[Figure]) -> Iterator[Path]:
    """Draw those of the figures that are curves."""
    for figure in figures:
        for name, (file, below) in PICTURES.items():
            if figure.name.startswith(name):
                points = {int(number.replace(",", "")): value for number, value in figure.behind.items()}
                yield save_curve(file, name.partition(" in ms")[0].capitalize(), below, points)


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
