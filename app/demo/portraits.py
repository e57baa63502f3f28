"""Draw small pictures for people who have no photograph: the same handle always gets the same picture."""

from __future__ import annotations

import math
import secrets
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

from app.accounts.avatars import SIZE

# Drawn at twice the size and halved: smooth edges for the price of one cheap reduction.
CANVAS = SIZE * 2

PALETTES = (
    ("#f4d9c6", "#e8825d", "#b8402a", "#3d2b3d"),
    ("#dcebdd", "#7fb685", "#3c7a57", "#1f3d36"),
    ("#dbe9f4", "#74a9cf", "#2b6ca3", "#17304f"),
    ("#fbe8b3", "#f2b134", "#d9722e", "#5b2a1d"),
    ("#efe0f0", "#b98bc4", "#77458e", "#341d45"),
    ("#fde2e4", "#e2798a", "#a63a50", "#40202c"),
    ("#e4f1ef", "#5fb3a8", "#1f7a74", "#123b42"),
    ("#f3efe4", "#c9b68a", "#8a7547", "#3b3324"),
)

Colours = tuple[str, ...]
Point = tuple[float, float]


def save_portrait(handle: str, folder: Path) -> str:
    """Draw a person's picture into the folder and return its name, which nobody can guess."""
    file = f"{secrets.token_urlsafe(16)}.webp"
    draw_portrait(handle).save(folder / file, "WEBP", quality=80, method=1)
    return file


def draw_portrait(handle: str) -> Image.Image:
    """Return the picture that belongs to a handle."""
    rng = Random(handle)
    colours = rng.choice(PALETTES)
    image = _gradient(colours[0], colours[1], rng)
    rng.choice((_hills, _rings, _leaves, _triangles, _waves, _moons))(ImageDraw.Draw(image), colours, rng)
    return image.reduce(2)


def _gradient(top: str, bottom: str, rng: Random) -> Image.Image:
    """Return a canvas that runs from one colour to the other, straight or aslant."""
    ramp = Image.linear_gradient("L").rotate(rng.choice((0, 90, 180, 0)))
    small = Image.composite(Image.new("RGB", ramp.size, bottom), Image.new("RGB", ramp.size, top), ramp)
    return small.resize((CANVAS, CANVAS), Image.Resampling.BILINEAR)


def _hills(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    x, radius = rng.uniform(0.25, 0.75) * CANVAS, rng.uniform(0.09, 0.16) * CANVAS
    _circle(draw, (x, 0.3 * CANVAS), radius, "#fff6df")
    for level, colour in enumerate(colours[1:]):
        _wave(draw, 0.5 + 0.16 * level, rng.uniform(0.04, 0.11), rng, colour)


def _waves(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    for level in range(6):
        _wave(draw, 0.12 + 0.16 * level, 0.05, rng, colours[level % len(colours)])


def _wave(draw: ImageDraw.ImageDraw, height: float, swing: float, rng: Random, colour: str) -> None:
    phase, turns = rng.uniform(0, math.tau), rng.uniform(0.6, 1.6)
    line = [
        (x, CANVAS * (height + swing * math.sin(phase + math.tau * turns * x / CANVAS)))
        for x in range(0, CANVAS + 16, 16)
    ]
    draw.polygon([(0, CANVAS), *line, (CANVAS, CANVAS)], fill=colour)


def _rings(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    centre = (rng.uniform(0.3, 0.7) * CANVAS, rng.uniform(0.3, 0.7) * CANVAS)
    count = rng.randint(4, 7)
    for ring in range(count):
        _circle(draw, centre, CANVAS * 0.62 * (1 - ring / count), colours[(ring + 1) % len(colours)])


def _moons(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    draw.rectangle((0, 0, CANVAS, CANVAS), fill=colours[3])
    for _ in range(30):
        _circle(draw, (rng.uniform(0, CANVAS), rng.uniform(0, CANVAS)), rng.uniform(2, 7), colours[0])
    x, y, radius = rng.uniform(0.4, 0.6) * CANVAS, rng.uniform(0.4, 0.6) * CANVAS, 0.24 * CANVAS
    _circle(draw, (x, y), radius, colours[1])
    _circle(draw, (x + radius * rng.uniform(-0.7, 0.7), y - radius * 0.3), radius * 0.85, colours[3])


def _leaves(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    petals, turn = rng.randint(5, 9), rng.uniform(0, math.tau)
    middle = CANVAS / 2
    for petal in range(petals):
        angle = turn + math.tau * petal / petals
        draw.polygon(_petal((middle, middle), angle, CANVAS * 0.42), fill=colours[1 + petal % 2 + 1])
    _circle(draw, (middle, middle), CANVAS * 0.09, colours[0])


def _petal(root: Point, angle: float, length: float) -> list[Point]:
    """Return the outline of a leaf that grows from `root`."""
    steps = [step / 12 for step in range(13)]
    there = [(step * length, math.sin(step * math.pi) * length * 0.24) for step in steps]
    outline = [*there, *[(along, -across) for along, across in reversed(there)]]
    cosine, sine = math.cos(angle), math.sin(angle)
    return [(root[0] + x * cosine - y * sine, root[1] + x * sine + y * cosine) for x, y in outline]


def _triangles(draw: ImageDraw.ImageDraw, colours: Colours, rng: Random) -> None:
    cells = rng.choice((3, 4, 5))
    side = CANVAS / cells
    for row in range(cells):
        for column in range(cells):
            x, y = column * side, row * side
            corners = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
            del corners[rng.randrange(4)]
            draw.polygon(corners, fill=rng.choice(colours[1:]))


def _circle(draw: ImageDraw.ImageDraw, centre: Point, radius: float, colour: str) -> None:
    x, y = centre
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
