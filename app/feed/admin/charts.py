"""Small charts, drawn on the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, GAP = 600, 120, 2


@dataclass(frozen=True)
class Bar:
    """One bar: where it stands, how high it is, and what it says."""

    x: float
    y: float
    width: float
    height: float
    value: int


def bars(values: Sequence[int]) -> list[Bar]:
    """Lay out values as bars, the highest as high as the chart; a small value is still seen."""
    highest = max([*values, 1])
    step = WIDTH / len(values)
    heights = [max(2.0, value / highest * HEIGHT) if value else 0.0 for value in values]
    return [
        Bar(round(n * step, 1), round(HEIGHT - height, 1), round(step - GAP, 1), round(height, 1), value)
        for n, (value, height) in enumerate(zip(values, heights, strict=True))
    ]
