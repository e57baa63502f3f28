"""What a page can reach: a bare page that asks Postgres and Valkey just what it asks, against one that asks nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bench import asked, bare
from bench.against_bare import Compared, press_bare
from bench.load import Ask
from bench.profiling import read_here
from bench.report import Figure
from bench.rounds import in_turns
from bench.stage import Stage


def reachable(stage: Stage, kind: str, asks: Sequence[Ask]) -> Iterator[Figure]:
    """Record what pages ask, and compare a bare page that asks just that with one that asks nobody."""
    size = stage.page_bytes(asks)
    app = stage.app.wsgi_app
    read_here(app, asks)
    asked.record(kind, [partial(read_here, app, [ask]) for ask in asks])
    servers = stage.servers.postgres.pid, stage.servers.valkey.pid
    presses = {
        address: partial(
            press_bare,
            stage,
            [Ask(address, articles=bare.ITEMS)] * len(asks),
            seconds=stage.scale.seconds / 2,
            servers=servers,
        )
        for address in (bare.path_of_asking(kind, size), bare.path_of(size))
    }
    compared = Compared(*in_turns(presses, rounds=stage.scale.rounds).values())
    yield compared.rates(
        f"{kind}, what can be reached: a bare page that asks just that against one that asks nobody: pages/s",
        ours="asking",
    )
    yield compared.costs("the same: processor time per page", ours="asking")
