"""Compare a page with what Flask and Jinja could serve at most, and with what a page can reach that asks what it asks.

The second is a bare page that asks Postgres and Valkey just what ours asks, and does nothing with the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from bench import asked, bare
from bench.against_bare import check_size, press_bare, press_site
from bench.load import Ask
from bench.profiling import read_here
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage


def compare_page(
    stage: Stage, kind: str, what: str, asks: Sequence[Ask], *, seconds: float, share: float, note: str = ""
) -> Iterator[Figure]:
    """Press pages of a kind, a bare page that asks what they ask, and one that asks nobody, all of one size, in turns.

    `share` is the bar: how much of what can be reached they reach.
    """
    size = stage.page_bytes(asks)
    check_size(stage.bare.port, size)
    app = stage.app.wsgi_app
    read_here(app, asks)
    asked.record(kind, [partial(read_here, app, [ask]) for ask in asks])
    asking, nobody = (
        [Ask(path, cookie=ask.cookie, articles=bare.ITEMS) for ask in asks]
        for path in (bare.path_of_asking(kind, size), bare.path_of(size))
    )
    servers = stage.servers.postgres.pid, stage.servers.valkey.pid
    stage.check_warm()
    rounds = in_turns(
        {
            "ours": partial(press_site, stage, asks, seconds=seconds),
            "asking": partial(press_bare, stage, asking, seconds=seconds, servers=servers),
            "bare": partial(press_bare, stage, nobody, seconds=seconds),
        },
        rounds=stage.scale.rounds,
    )
    stage.check_warm()
    rates = {name: (f"{name} pages/s", [each.load.per_second for each in side]) for name, side in rounds.items()}
    costs = {name: (f"{name} ms", [each.cpu_ms for each in side]) for name, side in rounds.items()}
    cost = "the same: processor time per page (web server, Postgres and Valkey)"
    yield ratio(f"{what} against a bare page of its size: pages/s", rates["ours"], rates["bare"], note=note)
    yield ratio(cost, costs["ours"], costs["bare"])
    can = "what can be reached there: a bare page that asks the same, against one that asks nobody: pages/s"
    yield ratio(can, rates["asking"], rates["bare"])
    yield ratio(cost, costs["asking"], costs["bare"])
    yield ratio(f"{what} against what can be reached: pages/s", rates["ours"], rates["asking"], bar=Bar(least=share))
