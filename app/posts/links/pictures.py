"""The pictures of linked pages: drawn anew like an upload, small, under names that cannot be guessed."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path

from flask import current_app

from app.core import images

LARGEST = (1120, 1120)
MAX_PIXELS = 16_000_000  # far less than of an upload: nobody has chosen it, and it is drawn small
SMALLEST = 64  # a side; what is smaller counts visitors, or is an icon
_NAME = re.compile(r"[A-Za-z0-9_-]{22}\.webp")


@dataclass(frozen=True)
class Picture:
    """A picture whose file is there."""

    file: str
    width: int
    height: int


def folder() -> Path:
    """Return where the pictures of linked pages are kept."""
    path: Path = current_app.config["DATA_FOLDER"] / "media" / "links"
    return path


def is_name(file: str) -> bool:
    """Say whether a file could be one of ours."""
    return _NAME.fullmatch(file) is not None


def save(body: bytes) -> Picture | None:
    """Store a picture; None for one that is too small to show anything."""
    with images.opened(BytesIO(body), most_pixels=MAX_PIXELS) as image:
        still = images.still_of(image, within=LARGEST)
    if min(still.size) < SMALLEST:
        return None
    file = f"{secrets.token_urlsafe(16)}.webp"
    folder().mkdir(parents=True, exist_ok=True)
    still.save(folder() / file, "WEBP", quality=80, method=4)
    return Picture(file, still.width, still.height)


def remove(file: str) -> None:
    """Delete the file of a picture. One that is gone already is fine."""
    (folder() / Path(file).name).unlink(missing_ok=True)


def stored_before(moment: datetime) -> Iterator[str]:
    """Yield the files that were written before a moment."""
    with suppress(FileNotFoundError):  # nobody has ever linked to anything
        for path in sorted(folder().iterdir()):
            with suppress(FileNotFoundError):  # another process has just removed it
                if path.stat().st_mtime < moment.timestamp():
                    yield path.name
