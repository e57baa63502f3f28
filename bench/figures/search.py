"""Finding: that a search over all posts stays interactive, whatever is asked and whoever asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median
from urllib.parse import urlencode
from wsgiref.types import WSGIApplication

from app.core.paging import PAGE_SIZE
from bench import bare
from bench.cpu import spend
from bench.load import Ask, Line
from bench.profiling import read_here
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns, medians_in_turns
from bench.stage import Stage
from bench.words import vocabulary

REQUESTS = 3  # of each kind per round: there are many kinds
SLOWEST = 25  # times a home page of 6 to 8 ms is what people still call at once
WARM_UP = 8  # requests of each kind: psycopg prepares a statement at its sixth use
COUNTED = 4  # requests of each kind per round, while processor time is counted
BARE_PER_SEARCH = 100  # bare pages for a search: they are so much quicker
BARE_BYTES = 40_000  # always the same, whatever becomes of our pages: what follows was measured against this size
# Processor time of the middle kind against that of the bare page, before pages were made faster (18 November 2026). The
# lowest of three runs on a busy machine, which gave 44, 51 and 60.
BEFORE = 44.0


def measure(stage: Stage) -> Iterator[Figure]:
    """Search for everything that could be slow, and read a home page, in turns over one connection."""
    line = Line(stage.site.port)
    searches = _searches(stage)
    asks = {"home": stage.readers[0].home(), **searches}
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
    yield _costs(stage, searches)


def _costs(stage: Stage, searches: Mapping[str, Ask]) -> Figure:
    """Count the processor time of each kind and of a bare page, in turns, and compare with what it was.

    In this process, without web server: an answer takes so long that few fit into a round, and what few take of a
    process can be told to the microsecond only here.
    """
    site, ceiling = stage.app.wsgi_app, bare.create_bare_app().wsgi_app
    bare_page, bare_pages = Ask(bare.path_of(BARE_BYTES), articles=bare.ITEMS), COUNTED * BARE_PER_SEARCH
    sides = {name: partial(_cpu_ms, stage, site, ask, COUNTED) for name, ask in searches.items()}
    sides["bare"] = partial(_cpu_ms, stage, ceiling, bare_page, bare_pages)
    for ask in searches.values():
        read_here(site, [ask] * WARM_UP)
    counted = in_turns(sides, rounds=max(2, stage.scale.rounds // 2))
    bare_ms = counted.pop("bare")
    middle = [median(values) for values in zip(*counted.values(), strict=True)]
    return ratio(
        "search, the middle kind: processor time (against a bare page) against what it was",
        ("middle: ms", middle),
        (f"{BEFORE:g} bare pages: ms", [BEFORE * value for value in bare_ms]),
        beside={f"{name}: ms": values for name, values in counted.items()},
        bar=Bar(most=1),
        note=f"on 18 November 2026 it took as much as {BEFORE:g} bare pages of {BARE_BYTES:,} bytes",
    )


def _cpu_ms(stage: Stage, app: WSGIApplication, ask: Ask, number: int) -> float:
    servers = stage.servers.postgres.pid, stage.servers.valkey.pid
    return 1000 * spend(lambda: read_here(app, [ask] * number), *servers, here=True).cpu_seconds / number


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
