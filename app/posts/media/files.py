"""The files of images in posts: in several sizes, without metadata, under names nobody can guess."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from flask import current_app
from PIL import Image

from app.core import images

# The widths that are kept of an image, by the letter in the names of their files. An image that is no wider than a
# size has no file of that size: its largest is `l`, and that one it always has.
WIDTHS = {"s": 480, "m": 960, "l": 1920}
LARGEST = (WIDTHS["l"], 4 * WIDTHS["l"])
MOVING = "moving"  # the animation, if there is one; the sizes are of its first frame
SIZES = (*WIDTHS, MOVING)
_NAME = re.compile(rf"(?P<file>[A-Za-z0-9_-]{{1,40}})\.({'|'.join(SIZES)})\.webp")
WIDEST_MOVING, MAX_MOVING_PIXELS = 960, 40_000_000


@dataclass(frozen=True)
class Saved:
    """An image whose files are there: the name they share, and the size of the largest."""

    file: str
    width: int
    height: int
    is_moving: bool


def folder() -> Path:
    """Return where the images of posts are kept."""
    path: Path = current_app.config["DATA_FOLDER"] / "media" / "posts"
    return path


def name(file: str, size: str) -> str:
    """Return the name of one of an image's files."""
    return f"{file}.{size}.webp"


def file_of(address: str) -> str | None:
    """Return the name that an image's files share, of the name of one of them."""
    match = _NAME.fullmatch(address)
    return match["file"] if match else None


def save(upload: IO[bytes]) -> Saved:
    """Store an uploaded image in all its sizes; what moves goes on moving for those who like that."""
    with images.opened(upload) as image:
        frames = images.frames_of(image, widest=WIDEST_MOVING, most_pixels=MAX_MOVING_PIXELS)
        largest = images.still_of(image, within=LARGEST)
    file = secrets.token_urlsafe(16)
    folder().mkdir(parents=True, exist_ok=True)
    try:
        _write(file, largest, frames)
    except Exception as error:
        remove(file)
        if isinstance(error, OSError) and error.errno:  # a full disk is not the image's fault
            raise
        raise images.BadImage("This image can’t be converted. Choose another.") from error
    return Saved(file, largest.width, largest.height, frames is not None)


def _write(file: str, largest: Image.Image, frames: images.Frames | None) -> None:
    for size, picture in _in_sizes(largest):
        picture.save(folder() / name(file, size), "WEBP", quality=82, method=4)
    if frames:
        first, *rest = frames.pictures
        path = folder() / name(file, MOVING)
        first.save(path, "WEBP", save_all=True, append_images=rest, duration=frames.durations, quality=72, method=2)


def _in_sizes(largest: Image.Image) -> Iterator[tuple[str, Image.Image]]:
    yield "l", largest
    for size in kept_sizes(largest.width)[:-1]:
        height = max(1, round(largest.height * WIDTHS[size] / largest.width))
        yield size, largest.resize((WIDTHS[size], height), Image.Resampling.LANCZOS)


def kept_sizes(width: int) -> list[str]:
    """Return the sizes in which an image whose largest file is so wide is kept, the smallest first."""
    return [size for size in WIDTHS if size == "l" or WIDTHS[size] < width]


def remove(file: str) -> None:
    """Delete an image's files. Those that are gone already are fine."""
    for size in SIZES:
        (folder() / Path(name(file, size)).name).unlink(missing_ok=True)


def stored_before(moment: datetime) -> set[str]:
    """Return the names of the images whose files were written before a moment."""
    old = set()
    with suppress(FileNotFoundError):  # nobody has ever posted an image
        for path in folder().iterdir():
            with suppress(FileNotFoundError):  # another process has just removed it
                if path.stat().st_mtime < moment.timestamp():
                    old.add(path.name.partition(".")[0])
    return old
