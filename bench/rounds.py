"""Compare things on a machine that others use too: in turns, round by round, so that noise hits all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import TypeVar

T = TypeVar("T")


def in_turns(sides: Mapping[str, Callable[[], T]], *, rounds: int) -> dict[str, list[T]]:
    """Run every side once per round: A B, B A, A B … and return what each gave, round by round."""
    results: dict[str, list[T]] = {name: [] for name in sides}
    for number in range(rounds):
        for name in sides if number % 2 == 0 else reversed(list(sides)):
            results[name].append(sides[name]())
    return results


def medians_in_turns(sides: Mapping[str, Callable[[], float]], *, rounds: int, requests: int) -> dict[str, list[float]]:
    """Time single requests, the sides in turn request by request; return the median of each round for each side."""
    seconds = in_turns(sides, rounds=rounds * requests)
    starts = range(0, rounds * requests, requests)
    return {name: [median(values[start : start + requests]) for start in starts] for name, values in seconds.items()}


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """Return the ratio of each round. Their median is the figure: a round that was disturbed does not move it."""
    return [a / b for a, b in zip(ours, theirs, strict=True)]
