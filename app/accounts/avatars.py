"""Avatar images: checked by content, re-encoded without metadata, kept under names that cannot be guessed."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import IO

from flask import current_app
from PIL import Image, ImageOps

from app.core import images

SIZE = 400


class BadAvatar(images.BadImage):
    """A file that cannot be an avatar."""

    field = "avatar"


def folder() -> Path:
    """Return where avatars are kept."""
    path: Path = current_app.config["DATA_FOLDER"] / "media" / "avatars"
    return path


def square_of(upload: IO[bytes]) -> Image.Image:
    """Return the middle of an uploaded image, or say why there is none."""
    try:
        with images.opened(upload) as image:
            picture = images.still_of(image, within=(SIZE * 4, SIZE * 4))
    except images.BadImage as error:
        raise BadAvatar(str(error)) from error
    return ImageOps.fit(picture, (SIZE, SIZE), Image.Resampling.LANCZOS)


def save(upload: IO[bytes]) -> str:
    """Store an uploaded image as a square avatar and return its file name."""
    square = square_of(upload)
    file = f"{secrets.token_urlsafe(16)}.webp"
    folder().mkdir(parents=True, exist_ok=True)
    square.save(folder() / file, "WEBP", quality=85, method=4)
    return file


def remove(file: str) -> None:
    """Delete an avatar's file. One that is gone already is fine."""
    (folder() / Path(file).name).unlink(missing_ok=True)
