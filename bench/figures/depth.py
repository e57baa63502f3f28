"""F2, however deep it goes: what it costs to be far down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from app.core.paging import PAGE_SIZE
from app.feed.timelines import keys as timeline
from app.feed.timelines import transport
from bench.data import FOLLOWED_BY_MANY
from bench.load import Ask, Line, WrongAnswer
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Browser, Stage

DEEP = 50


def measure(stage: Stage) -> Iterator[Figure]:
    """Read the first page and a deep one in turns over one connection."""
    stage.check_warm()
    line = Line(stage.site.port)
    first, deep = stage.many.home(), walk_down(line, stage.many, to_page=DEEP)
    _check_below_floor(stage, line.ask(deep).body)
    seconds = medians_in_turns(
        {"first": lambda: line.ask(first).seconds, "deep": lambda: line.ask(deep).seconds},
        rounds=stage.scale.rounds,
        requests=stage.scale.requests,
    )
    line.close()
    stage.check_warm()
    yield ratio(
        f"page {DEEP} (below the window) p50 against page 1, reader follows {FOLLOWED_BY_MANY:,}",
        (f"page {DEEP}: ms", [1000 * value for value in seconds["deep"]]),
        ("page 1: ms", [1000 * value for value in seconds["first"]]),
        bar=Bar(most=4),
    )


def _check_below_floor(stage: Stage, page: bytes) -> None:
    """Refuse a page that Redis could have answered."""
    key = timeline.home_key(stage.generation, stage.cast.following[FOLLOWED_BY_MANY])
    floor = int(transport.send(stage.redis, [("ZRANGE", key, -1, -1)])[0][0])
    if max(int(entry) for entry in re.findall(rb' data-entry="(\d+)"', page)) >= floor:
        raise WrongAnswer(f"page {DEEP} does not lie below the window")


def walk_down(line: Line, reader: Browser, *, to_page: int) -> Ask:
    """Follow the links to older posts, as a person without JavaScript would; return the request for the last page."""
    ask = reader.home()
    for _ in range(to_page - 1):
        link = re.search(rb'<a rel="next"[^>]* href="([^"]+)"', line.ask(ask).body)
        if link is None:
            raise WrongAnswer(f"the feed ends before page {to_page}")
        ask = Ask(unescape(link[1].decode()), cookie=reader.cookie, articles=PAGE_SIZE)
    return ask
