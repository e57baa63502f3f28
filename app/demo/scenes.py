"""Draw what people post pictures of: hills, the river, the night sky. The same words always get the same picture."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from PIL import Image, ImageDraw

from app.demo.writing import Written

WIDTH, HEIGHT = 1120, 740
MAX_PICTURES = 26

Colours = tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A kind of picture: the words that ask for it, what it shows in words, and how it is drawn."""

    words: re.Pattern[str]
    alt: str
    draw: Callable[[ImageDraw.ImageDraw, Random], None]
    sky: Colours


def pictured(posts: Iterable[Written]) -> Iterator[tuple[Written, Scene]]:
    """Yield the newest posts that speak of something that can be drawn, one of each author."""
    authors: set[str] = set()
    for post in sorted(posts, key=lambda post: post.moment, reverse=True):
        scene = next((scene for scene in SCENES if scene.words.search(post.text)), None)
        if scene and post.author not in authors and not post.answers:
            authors.add(post.author)
            yield post, scene
        if len(authors) == MAX_PICTURES:
            return


def draw_scene(scene: Scene, words: str) -> io.BytesIO:
    """Return the picture as a file, as an author would upload it."""
    rng = Random(words)
    ramp = Image.linear_gradient("L").resize((1, HEIGHT))
    top, bottom = (Image.new("RGB", (1, HEIGHT), colour) for colour in scene.sky)
    image = Image.composite(bottom, top, ramp).resize((WIDTH, HEIGHT))
    scene.draw(ImageDraw.Draw(image), rng)
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90)
    file.seek(0)
    return file


def _ridge(draw: ImageDraw.ImageDraw, rng: Random, height: float, swing: float, colour: str) -> None:
    """Draw everything below a line of hills."""
    waves = [(rng.uniform(0, math.tau), rng.uniform(0.5, 3.5), swing / (n + 1)) for n in range(4)]
    line = [
        (
            x,
            HEIGHT
            * (height + sum(part * math.sin(phase + math.tau * turns * x / WIDTH) for phase, turns, part in waves)),
        )
        for x in range(0, WIDTH + 8, 8)
    ]
    draw.polygon([(0, HEIGHT), *line, (WIDTH, HEIGHT)], fill=colour)


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: str) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)


def _hills(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    _disc(draw, rng.uniform(0.2, 0.8) * WIDTH, rng.uniform(0.3, 0.45) * HEIGHT, 46, "#fff3d0")
    for height, colour in ((0.5, "#9fb8b4"), (0.6, "#6f968f"), (0.72, "#43716b"), (0.86, "#234a48")):
        _ridge(draw, rng, height, 0.06, colour)


def _river(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    _ridge(draw, rng, 0.46, 0.04, "#7fa08a")
    _ridge(draw, rng, 0.54, 0.02, "#4f7d6b")
    draw.rectangle((0, 0.62 * HEIGHT, WIDTH, HEIGHT), fill="#5b9db5")
    for _ in range(46):
        x, y = rng.uniform(0, WIDTH), rng.uniform(0.64, 0.98) * HEIGHT
        length = rng.uniform(30, 150) * (y / HEIGHT)
        draw.line((x, y, x + length, y), fill=rng.choice(("#7fb9cc", "#a9d3df", "#4a8aa3")), width=3)
    _ridge(draw, rng, 0.95, 0.03, "#2e5548")


def _night(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    for _ in range(170):
        _disc(draw, rng.uniform(0, WIDTH), rng.uniform(0, 0.75) * HEIGHT, rng.uniform(0.8, 2.4), "#f2ead2")
    x, y = rng.uniform(0.2, 0.8) * WIDTH, rng.uniform(0.18, 0.35) * HEIGHT
    _disc(draw, x, y, 52, "#f7efd9")
    _disc(draw, x + 22, y - 12, 46, "#1a2b4d")
    for height, colour in ((0.74, "#1b3050"), (0.84, "#12233d"), (0.93, "#0a1728")):
        _ridge(draw, rng, height, 0.04, colour)


def _garden(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    _ridge(draw, rng, 0.62, 0.03, "#8fb26b")
    _ridge(draw, rng, 0.74, 0.03, "#5f8f4a")
    for _ in range(85):
        x, y = rng.uniform(0, WIDTH), rng.uniform(0.68, 0.98) * HEIGHT
        draw.line((x, y, x + rng.uniform(-8, 8), y + 60), fill="#3c6b34", width=4)
        colour, radius = rng.choice(("#e8825d", "#f2b134", "#e2798a", "#b98bc4", "#fff6df")), rng.uniform(8, 17)
        for petal in range(5):
            turn = math.tau * petal / 5
            _disc(draw, x + radius * math.cos(turn), y + radius * math.sin(turn), radius * 0.62, colour)
        _disc(draw, x, y, radius * 0.5, "#f7d774")


def _rain(draw: ImageDraw.ImageDraw, rng: Random) -> None:
    for height, colour in ((0.62, "#8499a5"), (0.76, "#64798a"), (0.88, "#485b6c")):
        _ridge(draw, rng, height, 0.03, colour)
    for _ in range(260):
        x, y = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT)
        draw.line((x, y, x - 9, y + 34), fill="#c9d6de", width=2)


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(words)})\b", re.IGNORECASE)


SCENES = (
    Scene(
        _words("moon", "stars", "comet", "telescope"),
        "A drawing of a crescent moon over dark hills.",
        _night,
        ("#0b1733", "#2d4470"),
    ),
    Scene(_words("rain", "drizzle", "umbrella"), "A drawing of rain over grey hills.", _rain, ("#a9b8c2", "#d5dee3")),
    Scene(
        _words("river", "lake", "harbour", "ferry", "swim"),
        "A drawing of a river between green banks.",
        _river,
        ("#bfe0ea", "#f4efe0"),
    ),
    Scene(
        _words("garden", "tulips", "roses", "flowers", "allotment", "bees"),
        "A drawing of a meadow full of flowers.",
        _garden,
        ("#c8e6f2", "#f6f3df"),
    ),
    Scene(
        _words("hill", "hills", "walk", "ridge", "sunrise", "sunset"),
        "A drawing of hills under a low sun.",
        _hills,
        ("#f3c58f", "#fbe9cf"),
    ),
)
