"""THE table: every measurement, in the order of the report. A new one is a module beside this and a line here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bench.figures import clients, depth, follows, home, posting, statements, web_servers
from bench.report import Figure
from bench.stage import Stage

MEASUREMENTS: Mapping[str, Callable[[Stage], Iterable[Figure]]] = {
    "home": home.measure,
    "follows": follows.measure,
    "depth": depth.measure,
    "statements": statements.measure,
    "posting": posting.measure,
    "web_servers": web_servers.measure,
    "clients": clients.measure,
}
