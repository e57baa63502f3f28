"""Images that people send: known by their content, never trusted, and drawn anew without what is hidden in them."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

from app.core.errors import Refused

FORMATS = ("JPEG", "PNG", "WEBP", "GIF")
CAN_MOVE = {"PNG", "WEBP", "GIF"}  # some phones put two pictures into a JPEG; that is not an animation
MAX_PIXELS = 50_000_000
TOO_MANY_PIXELS = "This image has too many pixels. The limit is 50 megapixels."
MAX_FRAMES = 300
MAX_PIXELS_OF_ALL_FRAMES = 150_000_000
MAX_SCANS = 64  # of a JPEG; each is one more pass over all pixels, and progressive ones have some ten
LONGEST_SIDE = 16_383  # of a WebP
LONGEST_FRAME = 60_000  # milliseconds; nobody waits longer, and WebP cannot
ORIENTATION = 0x0112
LYING = {5, 6, 7, 8}  # orientations in which width and height change places

# For what Pillow draws while it seeks, before we can look: it refuses twice as many pixels as this, and warns below.
Image.MAX_IMAGE_PIXELS = MAX_PIXELS // 2
warnings.simplefilter("ignore", Image.DecompressionBombWarning)

_SRGB = ImageCms.createProfile("sRGB")
# Fifty megapixels are 200 MB while they are decoded: one image at a time in each process.
_one_at_a_time = threading.Lock()


class BadImage(Refused):
    """A file that cannot be shown, or what is said about it."""

    field = "image"


@dataclass(frozen=True)
class Frames:
    """A moving image: pictures of one size, and for how many milliseconds each is shown."""

    pictures: list[Image.Image]
    durations: list[int]


@contextmanager
def opened(upload: IO[bytes], *, most_pixels: int = MAX_PIXELS) -> Iterator[Image.Image]:
    """Open an image, whatever its name says; whatever goes wrong with it in the block becomes a `BadImage`."""
    try:
        if _scans_in(upload) > MAX_SCANS:
            raise BadImage("This image is built from too many layers. Save it again in another program, then try that.")
        with _one_at_a_time, Image.open(upload, formats=FORMATS) as image:
            if image.width * image.height > most_pixels:
                raise BadImage(TOO_MANY_PIXELS)
            yield image
    except BadImage:
        raise
    except Image.DecompressionBombError as error:
        raise BadImage(TOO_MANY_PIXELS) from error
    except UnidentifiedImageError as error:
        raise BadImage("This file isn’t an image Freshet can read. Use JPEG, PNG, WebP or GIF.") from error
    except Exception as error:  # damaged files make Pillow stumble over anything
        raise BadImage("This image is damaged. Choose another.") from error


def _scans_in(upload: IO[bytes]) -> int:
    """Return how many scans a JPEG has, and 0 for others: a scan of a hundred bytes can go over fifty megapixels."""
    scans = upload.read().count(b"\xff\xda") if upload.read(2) == b"\xff\xd8" else 0
    upload.seek(0)
    return scans


def still_of(image: Image.Image, *, within: tuple[int, int]) -> Image.Image:
    """Return what an image shows first: upright, on white, in sRGB, no larger than `within`; without metadata."""
    profile = image.info.get("icc_profile")
    is_lying = image.getexif().get(ORIENTATION) in LYING
    image = _in_full_colours(image)
    image.thumbnail(within[::-1] if is_lying else within, Image.Resampling.LANCZOS)
    return _on_white(ImageOps.exif_transpose(image), profile)


def frames_of(image: Image.Image, *, widest: int, most_pixels: int) -> Frames | None:
    """Return a moving image, so small that all its frames together have `most_pixels`; None if it stands still."""
    if image.format not in CAN_MOVE or not getattr(image, "is_animated", False):
        return None
    count = int(getattr(image, "n_frames", 1))
    pixels = image.width * image.height
    if count > MAX_FRAMES or pixels * count > MAX_PIXELS_OF_ALL_FRAMES:
        raise BadImage(f"This animation is too long or too large. The limit is {MAX_FRAMES} frames.")
    scale = min(1.0, widest / image.width, LONGEST_SIDE / image.height, math.sqrt(most_pixels / (pixels * count)))
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    pictures, durations = [], []
    canvas = image.size
    for number in range(count):
        image.seek(number)
        if image.size != canvas:  # a frame sticks out of a GIF: Pillow would enlarge all that follow
            raise BadImage("This animation has frames of different sizes. Choose another.")
        frame = image.convert("RGBA")
        duration = int(image.info.get("duration") or 100)
        durations.append(min(max(20, duration), LONGEST_FRAME))  # as browsers play them
        pictures.append(_on_white(frame).resize(size, Image.Resampling.BILINEAR))
    image.seek(0)
    return Frames(pictures, durations)


def _in_full_colours(image: Image.Image) -> Image.Image:
    """Return an image that can be scaled: without palette, and no finer than eight bits."""
    if image.mode.startswith("I"):
        image = image.point(lambda value: value / 256).convert("L")
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image.convert("RGB") if image.mode in {"1", "P"} else image


def _on_white(image: Image.Image, profile: bytes | None = None) -> Image.Image:
    """Return a new image, so that nothing but its colours survives. White: a drawing on nothing is black on white."""
    canvas = Image.new("RGB", image.size, "white")
    canvas.paste(_in_srgb(image, profile), mask=image.getchannel("A") if image.mode == "RGBA" else None)
    return canvas


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return an image in the colours that a screen assumes where no profile is given, as none will be."""
    if image.mode == "RGBA":
        image = image.convert("RGB")
    if profile:
        try:
            described = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, described, _SRGB, outputMode="RGB")
            return converted or image.convert("RGB")
        except (ImageCms.PyCMSError, OSError):
            pass  # a profile that is broken or of another kind of image describes nothing
    return image.convert("RGB")
