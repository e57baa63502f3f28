"""The picture that other sites show beside a link to one of our public pages."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageOps

from app.accounts import avatars
from app.core.text import initials
from app.sharing.letters import BOLD, REGULAR, drawable, fitted, font, lines

WIDTH, HEIGHT = 1200, 630
MARGIN, FACE = 84, 128
WIDEST = WIDTH - 2 * MARGIN
SURFACE, INK, INK_SOFT, ACCENT = "#ffffff", "#0e2126", "#4a6067", "#0b6b7a"
HUES = (195, 160, 125, 85, 55, 25, 350, 315, 285, 250)  # as in tokens.css
TEXT_SIZES = ((60, 3, 70), (50, 4, 130), (40, 5, 1_000_000))  # size, lines, and up to how many characters
TITLE_SIZES = (110, 84, 62)
MAX_DRAWN_CHARACTERS = 600
# Typefaces are shared by the threads of a process, and are not made for that.
_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Drawn:
    """What a picture shows: by whom, what, and on which site."""

    author_id: int
    name: str
    handle: str
    avatar: str | None
    text: str
    below: str  # a day, or numbers
    site: str


@dataclass(frozen=True)
class DrawnTitle:
    """What a picture of a page without an author shows."""

    title: str
    text: str
    site: str


@lru_cache(maxsize=128)
def draw(drawn: Drawn) -> bytes:
    """Return a picture of what somebody wrote, or of their profile, as PNG."""
    with _one_at_a_time:
        canvas, pen = _empty()
        _draw_face(canvas, drawn)
        _draw_names(pen, drawn)
        _draw_text(pen, drawable(drawn.text[:MAX_DRAWN_CHARACTERS]))
        _draw_foot(pen, drawn.site, drawn.below)
        return _as_png(canvas)


@lru_cache(maxsize=32)
def draw_title(drawn: DrawnTitle) -> bytes:
    """Return a picture of a page without an author as PNG."""
    with _one_at_a_time:
        canvas, pen = _empty()
        title = drawable(drawn.title[:MAX_DRAWN_CHARACTERS]) or drawable(drawn.site)
        size = next(
            size for size in TITLE_SIZES if font(size, BOLD).getlength(title) <= WIDEST or size == TITLE_SIZES[-1]
        )
        pen.text((MARGIN, 250), fitted(title, WIDEST, size, BOLD), INK, font(size, BOLD), anchor="ls")
        for number, line in enumerate(lines(drawable(drawn.text[:MAX_DRAWN_CHARACTERS]), WIDEST, 3, 44)):
            pen.text((MARGIN, 340 + number * 56), line, INK_SOFT, font(44), anchor="ls")
        _draw_foot(pen, drawn.site)
        return _as_png(canvas)


def _empty() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    canvas = Image.new("RGB", (WIDTH, HEIGHT), SURFACE)
    pen = ImageDraw.Draw(canvas)
    pen.rectangle((0, 0, WIDTH, 14), fill=ACCENT)
    return canvas, pen


def _as_png(canvas: Image.Image) -> bytes:
    file = BytesIO()
    canvas.save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_face(canvas: Image.Image, drawn: Drawn) -> None:
    """Draw the author's picture, or the first letters of the name, in a circle."""
    face = _avatar(drawn.avatar) or _letters(drawn)
    mask = Image.new("L", (FACE * 4, FACE * 4))
    ImageDraw.Draw(mask).ellipse((0, 0, FACE * 4 - 1, FACE * 4 - 1), fill=255)
    canvas.paste(face, (MARGIN, MARGIN), mask.resize((FACE, FACE), Image.Resampling.LANCZOS))


def _avatar(file: str | None) -> Image.Image | None:
    if file is None:
        return None
    try:
        with Image.open(avatars.folder() / file, formats=("WEBP",)) as image:
            return ImageOps.fit(image.convert("RGB"), (FACE, FACE), Image.Resampling.LANCZOS)
    except OSError:  # replaced in this very moment
        return None


def _letters(drawn: Drawn) -> Image.Image:
    hue = HUES[drawn.author_id % 10]
    face = Image.new("RGB", (FACE, FACE), f"hsl({hue}, 42%, 84%)")
    letters = drawable(initials(drawn.name)) or drawn.handle[0].upper()
    place = (FACE // 2, FACE // 2)
    ImageDraw.Draw(face).text(place, letters, f"hsl({hue}, 55%, 22%)", font(50, BOLD), anchor="mm")
    return face


def _draw_names(pen: ImageDraw.ImageDraw, drawn: Drawn) -> None:
    left, widest = MARGIN + FACE + 32, WIDTH - 2 * MARGIN - FACE - 32
    name, handle = fitted(drawable(drawn.name), widest, 48, BOLD), fitted(f"@{drawn.handle}", widest, 34)
    if name:
        pen.text((left, MARGIN + 62), name, INK, font(48, BOLD), anchor="ls")
    pen.text((left, MARGIN + (108 if name else 78)), handle, INK_SOFT, font(34), anchor="ls")


def _draw_text(pen: ImageDraw.ImageDraw, text: str) -> None:
    size, most, _ = next(each for each in TEXT_SIZES if len(text) <= each[2])
    for number, line in enumerate(lines(text, WIDEST, most, size)):
        pen.text((MARGIN, MARGIN + FACE + 36 + size + number * round(size * 1.28)), line, INK, font(size), anchor="ls")


def _draw_foot(pen: ImageDraw.ImageDraw, name: str, below: str = "") -> None:
    """Draw the sign and the name of the site, and on the other side what stands below a post."""
    left, top, side = MARGIN, HEIGHT - 96, 48
    pen.rounded_rectangle((left, top, left + side, top + side), 13, fill=ACCENT)
    for wave in (17.25, 26.25, 35.25):
        steps = [left + 9 + step for step in range(31)]
        points = [(x, top + wave - 3.7 * math.sin(math.pi * (x - left - 9) / 15)) for x in steps]
        pen.line(points, fill=SURFACE, width=4, joint="curve")
    site, middle = fitted(drawable(name), 500, 34, BOLD), top + side // 2
    pen.text((left + side + 16, middle), site, INK, font(34, BOLD), anchor="lm")
    pen.text((WIDTH - MARGIN, middle), below, INK_SOFT, font(30, REGULAR), anchor="rm")
