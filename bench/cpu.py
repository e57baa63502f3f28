"""What a server costs in processor time: hardly moved by whatever else the machine is doing."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.load import Ask, Load, press

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Pressed:
    """A server under load, and the processor time that an answer took."""

    load: Load
    cpu_ms: float


def press_counting(port: int, asks: Sequence[Ask], *, seconds: float, pids: Sequence[int]) -> Pressed:
    """Press a server and divide what these processes used meanwhile among the answers."""
    before = cpu_seconds(*pids)
    load = press(port, asks, seconds=seconds)
    return Pressed(load, 1000 * (cpu_seconds(*pids) - before) / len(load.latencies))


@dataclass(frozen=True)
class Spent:
    """What some work took: on the clock, and of all processors."""

    seconds: float
    cpu_seconds: float


def spend(work: Callable[[], object], *pids: int, here: bool) -> Spent:
    """Do some work and count what these processes used meanwhile, and this one if the work is done here."""
    before, own, begun = cpu_seconds(*pids), time.process_time(), time.perf_counter()
    work()
    seconds, own = time.perf_counter() - begun, time.process_time() - own
    return Spent(seconds, cpu_seconds(*pids) - before + (own if here else 0))


def cpu_seconds(*roots: int) -> float:
    """Return the processor time that these processes and all below them have used since they started."""
    times, children = {}, dict[int, list[int]]()
    for pid, parent, seconds in _processes():
        times[pid] = seconds
        children.setdefault(parent, []).append(pid)
    family, total = list(roots), 0.0
    while family:
        pid = family.pop()
        total += times.get(pid, 0.0)
        family += children.get(pid, [])
    return total


class Others:
    """Watches how much of the machine goes to processes that are not ours."""

    def __init__(self) -> None:
        self._busy, self._all = _machine_seconds()
        self._ours = cpu_seconds(os.getpid())

    def share(self) -> float:
        """Return the part of all processor time that others have taken since the watch began."""
        busy, everything = _machine_seconds()
        theirs = (busy - self._busy) - (cpu_seconds(os.getpid()) - self._ours)
        return max(0.0, theirs / (everything - self._all))


def _machine_seconds() -> tuple[float, float]:
    """Return the time that all processors were busy, and the time that they had."""
    with Path("/proc/stat").open() as stat:
        ticks = [int(word) for word in stat.readline().split()[1:9]]
    idle = ticks[3] + ticks[4]
    return (sum(ticks) - idle) / TICKS, sum(ticks) / TICKS


def _processes() -> Iterator[tuple[int, int, float]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # gone meanwhile
                # The name in brackets may hold anything. After it: state, parent and, from the eleventh on, the time as
                # user and as system, its own and that of the children that have ended.
                words = (entry / "stat").read_text().rpartition(") ")[2].split()
                yield int(entry.name), int(words[1]), sum(map(int, words[11:15])) / TICKS
