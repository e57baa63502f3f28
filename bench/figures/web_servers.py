"""Which web server: the same pages from each. See docs/decisions/0001-web-server.md."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bench import web
from bench.cpu import press_counting
from bench.report import Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage

OURS = "as make run starts it"


def measure(stage: Stage) -> Iterator[Figure]:
    """Serve the home page from each server in turns, all of them up, two workers each."""
    servers = {OURS: stage.site, **{name: stage.rival(name) for name in web.RIVALS}}
    press = partial(press_counting, asks=stage.homes, seconds=stage.scale.seconds)
    sides = {name: partial(press, server.port, pids=[server.pid]) for name, server in servers.items()}
    pressed = in_turns(sides, rounds=stage.scale.rounds)
    rates = {name: [each.load.per_second for each in rounds] for name, rounds in pressed.items()}
    tails = {name: [1000 * each.load.percentile(99) for each in rounds] for name, rounds in pressed.items()}
    costs = {name: [each.cpu_ms for each in rounds] for name, rounds in pressed.items()}
    for name in web.RIVALS:
        yield ratio(
            f"web server {OURS} against {name}: pages/s",
            ("ours pages/s", rates[OURS]),
            ("theirs", rates[name]),
            beside={"processor time per page, ours ms": costs[OURS], "theirs ms": costs[name]},
        )
        yield ratio(f"web server {OURS} against {name}: p99", ("ours ms", tails[OURS]), ("theirs ms", tails[name]))
