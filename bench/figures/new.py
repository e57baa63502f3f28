"""F4, new posts: what it costs that every open page asks every now and then whether there are any."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http import HTTPStatus

from bench import bare
from bench.against_bare import compare, press_bare
from bench.load import Ask
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
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
    yield _floor(stage)


def _floor(stage: Stage) -> Figure:
    """Compare a bare 204 that asks Postgres and Valkey once each with one that asks nobody."""
    sides = {
        path: partial(
            press_bare,
            stage,
            [Ask(path, status=HTTPStatus.NO_CONTENT)] * len(stage.news),
            seconds=stage.scale.seconds / 2,
        )
        for path in (bare.NOTHING_ASKED, bare.NOTHING)
    }
    rounds = in_turns(sides, rounds=stage.scale.rounds)
    asked, nothing = ([each.load.per_second for each in rounds[path]] for path in sides)
    return ratio(
        "what can be reached: a bare 204 that asks both once against one that asks nobody",
        ("asking requests/s", asked),
        ("bare requests/s", nothing),
    )
