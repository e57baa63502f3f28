"""What it costs to read forward in time, from where one left off up to the top."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from app.core.paging import PAGE_SIZE
from bench.data import FOLLOWED_BY_MANY
from bench.figures.depth import walk_down
from bench.load import Ask, Line, WrongAnswer
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Browser, Stage

BELOW = 4  # the page down, whose link upwards leads to the third from the top


def measure(stage: Stage) -> Iterator[Figure]:
    """Read the page above another one, and the page below the same number of pages, in turns over one connection."""
    stage.check_warm()
    line = Line(stage.site.port)
    reader = stage.many
    down, up = walk_down(line, reader, to_page=BELOW - 1), _upwards(line, reader)
    seconds = medians_in_turns(
        {"up": lambda: line.ask(up).seconds, "down": lambda: line.ask(down).seconds},
        rounds=stage.scale.rounds,
        requests=stage.scale.requests,
    )
    line.close()
    stage.check_warm()
    yield ratio(
        f"a page forward in time p50 against one backward, reader follows {FOLLOWED_BY_MANY:,}",
        ("forward: ms", [1000 * value for value in seconds["up"]]),
        ("backward: ms", [1000 * value for value in seconds["down"]]),
        bar=Bar(most=1.15),
    )


def _upwards(line: Line, reader: Browser) -> Ask:
    """Follow the link to newer posts of a page further down."""
    page = line.ask(walk_down(line, reader, to_page=BELOW)).body
    link = re.search(rb'<a rel="prev"[^>]* href="([^"]+)"', page)
    if link is None:
        raise WrongAnswer(f"page {BELOW} has no way to newer posts")
    return Ask(unescape(link[1].decode()), cookie=reader.cookie, articles=PAGE_SIZE)
