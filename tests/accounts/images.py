"""Image files for tests: real ones, and some that only pretend."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from io import BytesIO
from typing import Any

from PIL import Image

ORIENTATION, MAKE, GPS = 0x0112, 0x010F, 0x8825


def image_file(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (60, 40), colour: str = "teal") -> BytesIO:
    """Return an image of one colour."""
    return _file(Image.new("RGB", size, colour).convert(mode), kind)


def two_colours(kind: str, *, orientation: int) -> BytesIO:
    """Return a photo as a phone writes it: red above blue once turned, with place and camera in it."""
    upright = Image.new("RGB", (64, 64), "red")
    upright.paste("blue", (0, 32, 64, 64))
    undo = {1: None, 3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    turn = undo[orientation]
    stored = upright.transpose(turn) if turn is not None else upright
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[MAKE] = "Secret Camera"
    exif[GPS] = {1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0)}
    return _file(stored, kind, exif=exif)


def moving(
    kind: str = "GIF", colours: Sequence[str] = ("red", "blue"), size: tuple[int, int] = (60, 40), duration: int = 80
) -> BytesIO:
    """Return an animation that shows one colour after the other."""
    first, *rest = [Image.new("RGB", size, colour) for colour in colours]
    return _file(first, kind, save_all=True, append_images=rest, duration=duration, loop=0)


def gif_of(frames: int, size: tuple[int, int] = (10, 10)) -> BytesIO:
    """Return a small file that is a GIF of very many or very large frames: a bomb of another kind."""
    screen = b"GIF89a" + struct.pack("<HHBBB", *size, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    frame = b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\x00"
    return BytesIO(screen + frame * frames + b";")


def gif_that_grows(width: int, height: int) -> BytesIO:
    """Return a tiny GIF whose second frame is far larger than the picture that it is part of."""
    screen = b"GIF89a" + struct.pack("<HHBBB", 1, 1, 0x80, 0, 0) + b"\x00\x00\x00\xff\xff\xff"
    frames = (
        b"," + struct.pack("<HHHHB", 0, 0, *size, 0) + b"\x02\x02\x44\x01\x00" for size in ((1, 1), (width, height))
    )
    return BytesIO(screen + b"".join(frames) + b";")


def noise(*, at_least: int) -> BytesIO:
    """Return a valid image whose file is a little larger than so many bytes."""
    side = int((at_least / 3) ** 0.5) + 8
    return _file(Image.effect_noise((side, side), 255).convert("RGB"), "PNG", compress_level=0)


def png_that_claims(width: int, height: int) -> BytesIO:
    """Return a small file that unfolds to so many pixels: a decompression bomb."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\x00" * 1_000_000, 9)
    return BytesIO(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


def _file(image: Image.Image, kind: str, **options: Any) -> BytesIO:
    file = BytesIO()
    image.save(file, kind, **options)
    file.seek(0)
    return file
