"""F4, new posts: what it costs that every open page asks every now and then whether there are any."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus

from bench import bare
from bench.against_bare import compare
from bench.load import Ask
from bench.report import Bar, Figure
from bench.stage import Stage


def measure(stage: Stage) -> Iterator[Figure]:
    """Ask for new posts where there are none, and for nothing at all, in turns."""
    asks = stage.news
    bare_asks = [
        Ask(bare.NOTHING, cookie=ask.cookie, headers=ask.headers, status=HTTPStatus.NO_CONTENT) for ask in asks
    ]
    compared = compare(stage, asks, bare_asks, seconds=stage.scale.seconds / 2)
    yield compared.rates(
        "asking for new posts (none there) against a bare 204: requests/s", what="requests", bar=Bar(least=0.6)
    )
    yield compared.costs("the same: processor time per request (web server, Postgres and Valkey)")
