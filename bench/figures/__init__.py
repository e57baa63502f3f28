"""THE table: every measurement, in the order of the report. A new one is a module beside this and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bench.figures import (
    arrival,
    away,
    burst,
    clients,
    curves,
    depth,
    filtering,
    follows,
    grouped,
    home,
    memory,
    new,
    pages,
    posting,
    rich,
    search,
    statements,
    timelines,
    upwards,
    web_servers,
)
from bench.report import Figure
from bench.stage import Stage

MEASUREMENTS: Mapping[str, Callable[[Stage], Iterable[Figure]]] = {
    "home": home.measure,
    "rich": rich.measure,
    "grouped": grouped.measure,
    "filtering": filtering.measure,
    "follows": follows.measure,
    "depth": depth.measure,
    "upwards": upwards.measure,
    "new": new.measure,
    "pages": pages.measure,
    "search": search.measure,
    "statements": statements.measure,
    "posting": posting.measure,
    "timelines": timelines.measure,
    "burst": burst.measure,
    "arrival": arrival.measure,
    "memory": memory.measure,
    "curves": curves.measure,
    "clients": clients.measure,
    "web_servers": web_servers.measure,
    "away": away.measure,  # the last one: it takes Redis away
}

ONLY_WHEN_NAMED = {"web_servers"}  # decided, docs/decisions/0001: not worth two minutes of every run
