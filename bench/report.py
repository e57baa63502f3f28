"""Figures, as a table for people and as JSON for the next run to be compared with."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

import psycopg
from redis import Redis

from bench.data import Scale, plain_url
from bench.rounds import ratios

RESULTS = Path(__file__).with_name("results.json")
NAME_WIDTH = 74


@dataclass(frozen=True)
class Bar:
    """What a figure is held against."""

    least: float | None = None
    most: float | None = None

    def holds(self, value: float) -> bool:
        """Say whether a value reaches the bar."""
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def __str__(self) -> str:
        return f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"


@dataclass(frozen=True)
class Figure:
    """One measured number, with what it was made of."""

    name: str
    value: float
    unit: str = "×"
    spread: tuple[float, float] | None = None  # the middle half of the rounds: how far to trust the last digit
    bar: Bar | None = None
    behind: Mapping[str, float] = field(default_factory=dict)  # absolute values: they move with the machine
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Say whether the bar is reached; None without a bar."""
        return self.bar.holds(self.value) if self.bar else None


def ratio(
    name: str,
    ours: tuple[str, Sequence[float]],
    theirs: tuple[str, Sequence[float]],
    *,
    beside: Mapping[str, Sequence[float]] | None = None,
    bar: Bar | None = None,
    note: str = "",
) -> Figure:
    """Return the figure that compares two series taken in turns, each under the name of its unit."""
    values = ratios(ours[1], theirs[1])
    behind = {label: median(series) for label, series in (ours, theirs, *(beside or {}).items())}
    low, _, high = quantiles(values, n=4) if len(values) > 1 else (values[0],) * 3
    return Figure(name, median(values), spread=(low, high), bar=bar, behind=behind, note=note)


def show(figures: Sequence[Figure]) -> None:
    """Print figures as rows of the table."""
    for figure in figures:
        value = f"{figure.value:.2f} ×" if figure.unit == "×" else f"{_short(figure.value)} {figure.unit}".strip()
        spread = f"{figure.spread[0]:.2f}–{figure.spread[1]:.2f}" if figure.spread else ""
        verdict = {None: "", True: "yes", False: "no"}[figure.reached]
        print(f"{figure.name:<{NAME_WIDTH}} {value:>10} {spread:>11} {figure.bar or ''!s:>8} {verdict:>4}".rstrip())
        if figure.behind:
            print("    " + " · ".join(f"{name} {_short(number)}" for name, number in figure.behind.items()))
        if figure.note:
            print(f"    {figure.note}")
    sys.stdout.flush()


def show_head() -> None:
    """Print the head of the table."""
    print(f"\n{'figure':<{NAME_WIDTH}} {'value':>10} {'mid. half':>11} {'bar':>8} {'ok?':>4}")
    print("-" * (NAME_WIDTH + 37))


def save(figures: Sequence[Figure], machine: Mapping[str, object], scale: Scale) -> None:
    """Write the results; aside first, so that an interrupted run leaves the old ones."""
    results = {
        "machine": machine,
        "scale": asdict(scale),
        "figures": [{**asdict(figure), "bar": str(figure.bar or ""), "reached": figure.reached} for figure in figures],
    }
    aside = RESULTS.with_suffix(".json.tmp")
    aside.write_text(json.dumps(_rounded(results), indent=2, ensure_ascii=False) + "\n")
    aside.replace(RESULTS)


def describe_machine(database_url: str, redis_url: str) -> dict[str, object]:
    """Return what the figures were taken on; nothing that would tell whose machine it is."""
    with psycopg.connect(plain_url(database_url)) as connection:
        postgres = connection.info.parameter_status("server_version")
    with Redis.from_url(redis_url) as client:
        server = client.info("server")
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "cores": len(os.sched_getaffinity(0)),
        "python": platform.python_version(),
        "postgres": postgres,
        "valkey": server.get("valkey_version") or server["redis_version"],
    }


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _rounded(value: object) -> object:
    """Return the same structure with floats as long as they mean something."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, Mapping):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
