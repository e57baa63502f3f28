"""Avatar images: checked by content, re-encoded without metadata, kept under names nobody can guess."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import IO

from flask import current_app
from PIL import Image, ImageOps, UnidentifiedImageError

SIZE = 400
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
MAX_PIXELS = 50_000_000


class BadImage(ValueError):
    """A file that cannot become an avatar; the message says why, to the person who chose it."""


def folder() -> Path:
    """Return where avatars are kept."""
    path: Path = current_app.config["DATA_FOLDER"] / "media" / "avatars"
    return path


def save(upload: IO[bytes]) -> str:
    """Store an uploaded image as a square avatar and return its file name."""
    square = _square(upload)
    file = f"{secrets.token_urlsafe(16)}.webp"
    folder().mkdir(parents=True, exist_ok=True)
    square.save(folder() / file, "WEBP", quality=85, method=4)
    return file


def _square(upload: IO[bytes]) -> Image.Image:
    """Decode, turn upright, crop to the middle; a new image, so that no metadata survives."""
    try:
        with Image.open(upload, formats=FORMATS) as image:
            if image.width * image.height > MAX_PIXELS:
                raise BadImage("This image has too many pixels. Choose one of at most 50 megapixels.")
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except BadImage:
        raise
    except UnidentifiedImageError as error:
        raise BadImage("This file is not an image that Freshet can read. Use JPEG, PNG, WebP or GIF.") from error
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadImage("This image is damaged. Choose another one.") from error
    canvas = Image.new("RGB", upright.size, "white")
    canvas.paste(upright, mask=upright.getchannel("A"))
    return ImageOps.fit(canvas, (SIZE, SIZE), Image.Resampling.LANCZOS)


def remove(file: str) -> None:
    """Delete an avatar's file. One that is gone already is fine."""
    (folder() / Path(file).name).unlink(missing_ok=True)
