"""`python -m bench --profile home`: where the time of a page goes, read in this very process. For daily work on speed.

Without web server and load generator, so that a profiler sees everything; on the same data, from the same warm windows.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import site
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from itertools import cycle, islice
from statistics import median
from typing import Any
from unittest.mock import patch
from wsgiref.types import WSGIApplication

from psycopg import Cursor
from redis.connection import AbstractConnection
from werkzeug.test import Client, EnvironBuilder, run_wsgi_app

import config
from app.core.database import Prepared, ReadConnection
from bench import bare
from bench.cpu import cpu_seconds
from bench.load import Answer, Ask
from bench.stage import Stage

WARM_UP_ROUNDS = 12  # templates are compiled, statements prepared, cards kept
ROWS = 40
FOLDERS = [*site.getsitepackages(), os.path.dirname(os.__file__), str(config.ROOT)]  # left out of names of files

Pages = Callable[[Stage], Sequence[Ask]]

PAGES: dict[str, Pages] = {
    "home": lambda stage: stage.homes,
    "rich": lambda stage: stage.rich_homes,
    "filtering": lambda stage: [stage.filtering.home()],
    "many": lambda stage: [stage.many.home()],
    "new": lambda stage: stage.news,
    "profile": lambda stage: stage.profiles,
    "permalink": lambda stage: stage.permalinks,
}


@dataclass(frozen=True)
class Cost:
    """What a page took, in ms: on the clock, and of the processors."""

    p50: float
    mean: float
    here: float
    postgres: float
    valkey: float

    @property
    def processors(self) -> float:
        """Return the processor time of everybody."""
        return self.here + self.postgres + self.valkey


def profile(stage: Stage, name: str, *, pages: int) -> None:
    """Read some pages and print what they cost, what they ask for, and which functions took the time."""
    asks = PAGES[name](stage)
    stage.check_warm()
    app = stage.app.wsgi_app
    read_here(app, [*asks] * WARM_UP_ROUNDS)
    several = list(islice(cycle(asks), pages))
    cost, ceiling = _cost(stage, app, several), _bare_cost(stage, asks, pages)
    print(f"\n{name}: {pages} pages of {len(asks)} readers, in one process, without web server")
    print(f"  wall       {cost.p50:6.2f} ms p50  {cost.mean:6.2f} ms mean    bare page {ceiling.p50:.2f} ms p50")
    print(
        f"  processor  {cost.processors:6.2f} ms: this process {cost.here:.2f}, "
        f"Postgres {cost.postgres:.2f}, Valkey {cost.valkey:.2f}    "
        f"bare page {ceiling.here:.2f} ms ({cost.processors / ceiling.here:.2f} ×)"
    )
    print("\nround trips, median of the pages: ms, times, what")
    for row in _round_trips(app, several):
        print(f"  {row}")
    profiler = cProfile.Profile()
    profiler.runcall(read_here, app, several)
    print("\nfunctions, ms per page (the profiler makes small functions look slower than they are)")
    for order, meaning in (("tottime", "own time"), ("cumtime", "time with all below")):
        print(f"\n  {'own':>7} {'with all':>8} {'calls':>7}  by {meaning}")
        for row in _functions(profiler, order, pages):
            print(f"  {row}")
    stage.check_warm()


def read_here(app: WSGIApplication, asks: Sequence[Ask]) -> list[float]:
    """Read pages as a web server's worker would, check them, and return the seconds of each."""
    environs = {ask.encode(): EnvironBuilder(ask.path, headers=_headers(ask)).get_environ() for ask in asks}
    requests = [dict(environs[ask.encode()]) for ask in asks]
    seconds = []
    for ask, environ in zip(asks, requests, strict=True):
        begun = time.perf_counter()
        chunks, status, _ = run_wsgi_app(app, environ, buffered=True)
        body = b"".join(chunks)
        seconds.append(time.perf_counter() - begun)
        Answer(int(status[:3]), body, closes=False, seconds=seconds[-1]).check(ask)
    return seconds


def _headers(ask: Ask) -> list[tuple[str, str]]:
    return [("Accept", "text/html"), ("Cookie", ask.cookie), *ask.headers.items()]


def _cost(stage: Stage, app: WSGIApplication, asks: Sequence[Ask]) -> Cost:
    servers = stage.servers.postgres.pid, stage.servers.valkey.pid
    before, own = [cpu_seconds(pid) for pid in servers], time.process_time()
    seconds = read_here(app, asks)
    own = time.process_time() - own
    used = [cpu_seconds(pid) - start for pid, start in zip(servers, before, strict=True)]
    here, postgres, valkey = (1000 * each / len(asks) for each in (own, *used))
    return Cost(1000 * median(seconds), 1000 * sum(seconds) / len(seconds), here, postgres, valkey)


def _bare_cost(stage: Stage, asks: Sequence[Ask], pages: int) -> Cost:
    """Return what a bare answer of the same size costs here."""
    client = Client(stage.app, use_cookies=False)
    sizes = [len(client.get(ask.path, headers=_headers(ask)).data) for ask in asks]
    app, size = bare.create_bare_app().wsgi_app, sum(sizes) // len(sizes)
    ask = Ask(bare.path_of(size), articles=bare.ITEMS) if size else Ask(bare.NOTHING, status=HTTPStatus.NO_CONTENT)
    read_here(app, [ask] * WARM_UP_ROUNDS)
    return _cost(stage, app, [ask] * pages)


def _round_trips(app: WSGIApplication, asks: Sequence[Ask]) -> list[str]:
    """Return a row per statement and per command sent to Redis: how long this process waited for it."""
    trips: dict[str, list[float]] = defaultdict(list)
    with _timed(trips):
        read_here(app, asks)
    rows = sorted(trips.items(), key=lambda item: -sum(item[1]))
    return [f"{1000 * median(times):7.3f} {len(times) / len(asks):6.2f}  {what}" for what, times in rows]


@contextmanager
def _timed(trips: dict[str, list[float]]) -> Iterator[None]:
    """Note how long each statement takes, and each answer from Redis."""
    execute: Callable[..., Any] = Cursor.execute
    rows: Callable[..., Any] = ReadConnection.rows
    answer: Callable[..., Any] = AbstractConnection.read_response

    def timed_execute(cursor: Any, query: Any, *args: Any, **options: Any) -> Any:
        begun = time.perf_counter()
        result = execute(cursor, query, *args, **options)
        trips[_beginning(query)].append(time.perf_counter() - begun)
        return result

    def timed_rows(connection: Any, statement: Prepared, values: Any) -> Any:
        begun = time.perf_counter()
        result = rows(connection, statement, values)
        trips[_beginning(statement.sql)].append(time.perf_counter() - begun)
        return result

    def timed_answer(*args: Any, **options: Any) -> Any:
        begun = time.perf_counter()
        result = answer(*args, **options)
        trips["Redis: an answer"].append(time.perf_counter() - begun)
        return result

    with (
        patch.object(Cursor, "execute", timed_execute),
        patch.object(ReadConnection, "rows", timed_rows),
        patch.object(AbstractConnection, "read_response", timed_answer),
    ):
        yield


def _beginning(query: Any) -> str:
    """Return a statement in one line: its beginning, and its length, by which those that begin alike are told apart."""
    text = " ".join((query.decode() if isinstance(query, bytes) else str(query)).split())
    return f"{text[:90]} ({len(text):,} characters)"


def _functions(profiler: cProfile.Profile, order: str, pages: int) -> list[str]:
    stats: Any = pstats.Stats(profiler)
    stats.sort_stats(order)
    rows = []
    for function in stats.fcn_list[:ROWS]:
        _, calls, own, with_all, _ = stats.stats[function]
        ms, ms_with_all = 1000 * own / pages, 1000 * with_all / pages
        rows.append(f"{ms:7.3f} {ms_with_all:8.3f} {calls / pages:7.1f}  {_place(*function)}")
    return rows


def _place(path: str, line: int, name: str) -> str:
    for folder in FOLDERS:
        path = path.removeprefix(f"{folder}/")
    return name if path == "~" else f"{path}:{line} {name}"
