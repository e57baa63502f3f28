"""Finding: that a search over all posts stays interactive, whatever is asked and whoever asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median
from urllib.parse import urlencode

from app.core.paging import PAGE_SIZE
from bench.load import Ask, Line
from bench.report import Bar, Figure, ratio
from bench.rounds import medians_in_turns
from bench.stage import Stage
from bench.words import vocabulary

REQUESTS = 3  # of each kind per round: there are many kinds
SLOWEST = 25  # times a home page of 6 to 8 ms is what people still call at once


def measure(stage: Stage) -> Iterator[Figure]:
    """Search for everything that could be slow, and read a home page, in turns over one connection."""
    line = Line(stage.site.port)
    asks = {"home": stage.readers[0].home(), **_searches(stage)}
    seconds = medians_in_turns(
        {name: partial(_time, line, ask) for name, ask in asks.items()}, rounds=stage.scale.rounds, requests=REQUESTS
    )
    line.close()
    home = [1000 * value for value in seconds.pop("home")]
    ms = {name: [1000 * value for value in values] for name, values in seconds.items()}
    slowest = max(ms, key=lambda name: median(ms[name]))
    middle = [median(values) for values in zip(*ms.values(), strict=True)]
    yield ratio(
        f"search over {stage.scale.posts:,} posts, {len(ms)} kinds, p50 against the home page",
        ("search: ms", middle),
        ("home: ms", home),
    )
    yield ratio(
        f"the slowest of them ({slowest}), p50 against the home page",
        ("slowest: ms", ms[slowest]),
        ("home: ms", home),
        beside={f"{name}: ms": values for name, values in ms.items()},
        bar=Bar(most=SLOWEST),
    )


def _time(line: Line, ask: Ask) -> float:
    return line.ask(ask).seconds


def _searches(stage: Stage) -> Mapping[str, Ask]:
    """Return the first page of each kind of search, people and tags above the posts, as a person gets it."""
    reader, blocking = stage.readers[0], stage.browser(stage.cast.blocking)
    rare, middle_of_time = vocabulary()[5_000], datetime.now(UTC).date() - timedelta(days=30)

    def search(typed: str, *, articles: int = PAGE_SIZE, cookie: str = reader.cookie) -> Ask:
        return Ask(f"/search?{urlencode({'q': typed})}", cookie=cookie, articles=articles)

    return {
        "most posts": search("the"),
        "two common words": search("the of"),
        "1 of 40 posts": search("heron"),
        "rare word": search(rare),
        "one post": search(str(stage.scale.posts // 2), articles=1),
        "no post": search("qqqq", articles=0),
        "beginning": search("tra*"),
        "phrase": search('"heron the"'),
        "without": search("heron -the"),
        "from": search("heron from:@person_1"),
        "tag": search("the #tag0"),
        "dates": search(f"heron before:{middle_of_time}"),
        "three words, half common": search("that with have"),
        "many blocks": search("heron", cookie=blocking.cookie),
    }
