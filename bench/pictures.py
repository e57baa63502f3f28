"""Draw a curve as a small SVG that stands on a background of its own, light or dark as the page around it may be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 28, 56, 48
INK, FAINT, GRID, CURVE, PAPER = "#1c2733", "#56636f", "#d9dfe5", "#0b6bcb", "#fbfcfd"


def save_curve(file: str, title: str, below: str, points: Mapping[int, float]) -> Path:
    """Write a curve of milliseconds, by numbers that grow tenfold from mark to mark; return where it is."""
    path = FOLDER / file
    path.write_text(curve(title, below, points))
    return path


def curve(title: str, below: str, points: Mapping[int, float]) -> str:
    """Return the drawing. Its scale begins at zero: what looks flat is flat."""
    step = _round_step(max(points.values()) * 1.2 / 4)
    places = {number: (_x(number, points), _y(value, 4 * step)) for number, value in points.items()}
    said = ", ".join(f"{number:,}: {value:.1f} ms" for number, value in points.items())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="title points" font-family="system-ui, sans-serif" font-size="12">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="points">{escape(said)}</desc>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>',
        f'<text x="{LEFT}" y="30" font-size="15" font-weight="600" fill="{INK}">{escape(title)}</text>',
        *(_level(number * step, _y(number * step, 4 * step)) for number in range(5)),
        *(_mark(number, x) for number, (x, _) in places.items()),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, below, fill=FAINT),
        f'<polyline fill="none" stroke="{CURVE}" stroke-width="2.5" points="{_path(places)}"/>',
        *(_point(x, y, points[number]) for number, (x, y) in places.items()),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _x(number: int, points: Mapping[int, float]) -> float:
    """Return where a number stands: as far from ten times itself as a tenth of it."""
    low, high = math.log10(min(points)), math.log10(max(points))
    inner = LEFT + 28  # room for the first value
    return inner + (WIDTH - RIGHT - 20 - inner) * (math.log10(number) - low) / (high - low)


def _y(value: float, highest: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / highest


def _round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20 … (or of their fractions) that is not smaller."""
    unit = 10.0 ** math.floor(math.log10(least))
    return next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= least)


def _level(value: float, y: float) -> str:
    line = f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{GRID}"/>'
    return line + _text(LEFT - 8, y + 4, f"{value:g} ms", anchor="end", fill=FAINT)


def _mark(number: int, x: float) -> str:
    return _text(x, HEIGHT - BOTTOM + 18, f"{number:,}", fill=FAINT)


def _point(x: float, y: float, value: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{CURVE}"/>' + _text(x, y - 10, f"{value:.1f}", fill=INK)


def _path(places: Mapping[int, tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places.values())


def _text(x: float, y: float, text: str, *, fill: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{escape(text)}</text>'
