"""F7, without Redis: what a home page costs when it stands still, and when it is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median

from app.core.redis import OPEN_SECONDS
from bench.load import Line
from bench.report import Bar, Figure, ratio
from bench.stage import Stage

WARM_SECONDS = 2.0
AWAY_SECONDS = OPEN_SECONDS + 2.0  # long enough that each process tries again
BACK_SECONDS = OPEN_SECONDS + 0.5  # then each process asks Redis again


def measure(stage: Stage) -> Iterator[Figure]:
    """Read with Redis there and away, round by round; at the end it is killed."""
    stage.check_warm()
    valkey, rounds = stage.servers.valkey, max(2, stage.scale.rounds // 3)
    lines = [Line(stage.site.port) for _ in stage.readers]
    warm, stopped = [], []
    for _ in range(rounds):
        warm.append(_read(stage, lines, WARM_SECONDS))
        stopped.append(_while(stage, lines, valkey.pause))
        valkey.resume()
        time.sleep(BACK_SECONDS)
    warm.append(_read(stage, lines, WARM_SECONDS))
    stage.check_warm()
    killed = [_while(stage, lines, valkey.kill)]
    for line in lines:
        line.close()
    yield from _figures("stopped (SIGSTOP)", stopped, warm[:-1])
    yield from _figures("killed", killed, warm[-1:])


def _while(stage: Stage, lines: Sequence[Line], take_away: Callable[[], None]) -> list[float]:
    take_away()
    return _read(stage, lines, AWAY_SECONDS)


def _read(stage: Stage, lines: Sequence[Line], seconds: float) -> list[float]:
    """Read the pages of all readers, one after the other, over connections to all workers."""
    latencies: list[float] = []
    deadline = time.perf_counter() + seconds
    while time.perf_counter() < deadline:
        latencies += [line.ask(home).seconds for line, home in zip(lines, stage.homes, strict=True)]
    return latencies


def _figures(how: str, away: Sequence[list[float]], warm: Sequence[list[float]]) -> Iterator[Figure]:
    yield ratio(
        f"home page p50, Redis {how}, against warm",
        ("away: ms", [1000 * median(latencies) for latencies in away]),
        ("warm: ms", [1000 * median(latencies) for latencies in warm]),
        bar=Bar(most=3),
    )
    slowest = max(seconds for latencies in away for seconds in latencies)
    count = {"pages": float(sum(len(latencies) for latencies in away))}
    yield Figure(f"the slowest page with Redis {how}", 1000 * slowest, unit="ms", bar=Bar(most=500), behind=count)
