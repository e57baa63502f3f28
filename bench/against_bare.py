"""Compare what the site serves with what Flask and Jinja could serve at most: pages/s and processor time, in turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bench import bare
from bench.cpu import Pressed, press_counting
from bench.load import Ask, Line, WrongAnswer
from bench.report import Bar, Figure, ratio
from bench.rounds import in_turns
from bench.stage import Stage

NEARLY = 0.02  # by how much the sizes of the two pages may differ


@dataclass(frozen=True)
class Compared:
    """What both sides did, round by round."""

    ours: Sequence[Pressed]
    bare: Sequence[Pressed]

    def rates(
        self, name: str, *, what: str = "pages", bar: Bar | None = None, note: str = "", ours: str = "ours"
    ) -> Figure:
        """Return the figure that compares how many were served."""
        served, bare_served = ([each.load.per_second for each in side] for side in (self.ours, self.bare))
        return ratio(name, (f"{ours} {what}/s", served), (f"bare {what}/s", bare_served), bar=bar, note=note)

    def costs(self, name: str, *, bar: Bar | None = None, ours: str = "ours") -> Figure:
        """Return the figure that compares what serving one took of all processors."""
        cost, bare_cost = ([each.cpu_ms for each in side] for side in (self.ours, self.bare))
        return ratio(name, (f"{ours} ms", cost), ("bare ms", bare_cost), bar=bar)


def compare(stage: Stage, asks: Sequence[Ask], bare_asks: Sequence[Ask], *, seconds: float) -> Compared:
    """Press the site and the bare application in turns."""
    stage.check_warm()
    sides = {
        "ours": partial(press_site, stage, asks, seconds=seconds),
        "bare": partial(press_bare, stage, bare_asks, seconds=seconds),
    }
    rounds = in_turns(sides, rounds=stage.scale.rounds)
    stage.check_warm()
    return Compared(rounds["ours"], rounds["bare"])


def press_site(stage: Stage, asks: Sequence[Ask], *, seconds: float) -> Pressed:
    """Press the site; Postgres and Valkey work for it."""
    pids = [stage.site.pid, stage.servers.postgres.pid, stage.servers.valkey.pid]
    return press_counting(stage.site.port, asks, seconds=seconds, pids=pids)


def press_bare(stage: Stage, asks: Sequence[Ask], *, seconds: float, servers: Sequence[int] = ()) -> Pressed:
    """Press the bare application; `servers` are those that it asks."""
    return press_counting(stage.bare.port, asks, seconds=seconds, pids=[stage.bare.pid, *servers])


def check_size(port: int, size: int) -> None:
    """Refuse a bare page of another size than ours."""
    line = Line(port)
    bare_bytes = len(line.ask(Ask(bare.path_of(size))).body)
    line.close()
    if abs(bare_bytes - size) > NEARLY * size:
        raise WrongAnswer(f"the bare page has {bare_bytes} bytes, ours {size}")
