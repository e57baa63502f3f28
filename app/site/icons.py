"""The icon of the site: in the corner of every page, and beside its name in a browser's tabs."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import IO

from flask import current_app
from PIL import Image, ImageOps

from app.core import images

SIZE = 192


class BadIcon(images.BadImage):
    """A file that cannot be an icon."""

    field = "icon"


def folder() -> Path:
    """Return where icons are kept. The ones before stay: they are few, and pages name them for a moment longer."""
    path: Path = current_app.config["DATA_FOLDER"] / "media" / "site"
    return path


def save(upload: IO[bytes]) -> str:
    """Store an uploaded image as a square icon and return the name of its file."""
    try:
        with images.opened(upload) as image:
            picture = images.still_of(image, within=(SIZE * 4, SIZE * 4))
    except images.BadImage as error:
        raise BadIcon(str(error)) from error
    file = f"{secrets.token_urlsafe(16)}.png"
    folder().mkdir(parents=True, exist_ok=True)
    ImageOps.fit(picture, (SIZE, SIZE), Image.Resampling.LANCZOS).save(folder() / file, "PNG")
    return file
