"""Pictures become small squares that stand upright and tell nothing of where they were taken."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.accounts import avatars
from app.core.images import BadImage
from tests.accounts.images import image_file, two_colours
from tests.examples import examples

RED, BLUE = (254, 0, 0), (0, 0, 254)
PHOTOS = {kind: two_colours(kind, orientation=6).getvalue() for kind in ("JPEG", "PNG", "WEBP")}
PHOTOS["GIF"] = image_file("GIF", "P").getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "media" / "avatars"


@pytest.fixture
def saved_in(tmp_path: Path) -> Flask:
    """An application that does nothing but keep its files in a folder of this test."""
    app = Flask(__name__)
    app.config["DATA_FOLDER"] = tmp_path
    return app


def save(app: Flask, upload: BytesIO) -> Image.Image:
    """Store an upload and open what was stored."""
    with app.app_context():
        path = avatars.folder() / avatars.save(upload)
    with Image.open(path) as stored:
        stored.load()
        assert (stored.format, stored.size) == ("WEBP", (avatars.SIZE, avatars.SIZE))
        return stored


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_photo_stands_upright_however_the_phone_was_held(saved_in: Flask, kind: str, orientation: int) -> None:
    stored = save(saved_in, two_colours(kind, orientation=orientation)).convert("RGB")
    assert _close(stored.getpixel((200, 100)), RED)
    assert _close(stored.getpixel((200, 300)), BLUE)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_place_and_camera_are_removed(saved_in: Flask, folder: Path, kind: str) -> None:
    assert b"Secret Camera" in two_colours(kind, orientation=6).getvalue()
    stored = save(saved_in, two_colours(kind, orientation=6))
    assert dict(stored.getexif()) == {}
    assert not {"exif", "xmp", "icc_profile", "comment"} & {name for name, value in stored.info.items() if value}
    [file] = folder.iterdir()
    assert b"Secret Camera" not in file.read_bytes() and b"EXIF" not in file.read_bytes()


@pytest.mark.parametrize("size", [(1, 1), (1, 3000), (3000, 1), (399, 401), (1600, 900), (900, 1600)])
def test_any_shape_becomes_a_square(saved_in: Flask, size: tuple[int, int]) -> None:
    save(saved_in, image_file("PNG", size=size))


def test_the_middle_is_kept(saved_in: Flask) -> None:
    wide = Image.new("RGB", (900, 300), "red")
    wide.paste("blue", (300, 0, 600, 300))
    file = BytesIO()
    wide.save(file, "PNG")
    file.seek(0)
    stored = save(saved_in, file).convert("RGB")
    assert all(_close(stored.getpixel(at), BLUE) for at in [(5, 5), (200, 200), (395, 395)])


def test_what_was_transparent_is_white(saved_in: Flask) -> None:
    file = BytesIO()
    Image.new("RGBA", (50, 50), (255, 0, 0, 0)).save(file, "PNG")
    file.seek(0)
    assert _close(save(saved_in, file).convert("RGB").getpixel((200, 200)), (255, 255, 255))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("JPEG", "RGB"),
        ("JPEG", "L"),
        ("JPEG", "CMYK"),
        ("PNG", "1"),
        ("PNG", "L"),
        ("PNG", "LA"),
        ("PNG", "P"),
        ("PNG", "RGB"),
        ("PNG", "RGBA"),
        ("PNG", "I;16"),
        ("WEBP", "RGB"),
        ("WEBP", "RGBA"),
        ("GIF", "P"),
        ("GIF", "L"),
    ],
)
def test_every_kind_of_image_that_is_promised_is_read(saved_in: Flask, kind: str, mode: str) -> None:
    upload = _sixteen_bits() if mode == "I;16" else image_file(kind, mode)
    save(saved_in, upload)


def _sixteen_bits() -> BytesIO:
    file = BytesIO()
    Image.new("I;16", (60, 40), 40_000).save(file, "PNG")
    file.seek(0)
    return file


def test_of_a_moving_picture_the_first_moment_is_shown(saved_in: Flask) -> None:
    frames = [Image.new("RGB", (50, 50), colour) for colour in ("blue", "red", "red")]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    file.seek(0)
    assert _close(save(saved_in, file).convert("RGB").getpixel((200, 200)), BLUE)


def test_names_are_never_used_twice(saved_in: Flask, folder: Path) -> None:
    for _ in range(5):
        save(saved_in, image_file())
    assert len(list(folder.iterdir())) == 5


def test_removing_stays_inside_the_folder(saved_in: Flask, tmp_path: Path) -> None:
    outside = tmp_path / "precious.txt"
    outside.write_text("still here")
    with saved_in.app_context():
        avatars.remove("../../precious.txt")
        avatars.remove("never-there.webp")
    assert outside.read_text() == "still here"


@settings(max_examples=examples(150))
@given(st.sampled_from(sorted(PHOTOS)), st.data())
def test_a_damaged_file_becomes_a_picture_or_is_refused_in_words(
    saved_in: Flask, kind: str, data: st.DataObject
) -> None:
    photo = bytearray(PHOTOS[kind])
    places = st.integers(min_value=0, max_value=len(photo) - 1)
    for place, byte in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=8)):
        photo[place] = byte
    cut = data.draw(st.integers(min_value=1, max_value=len(photo)))
    with suppress(BadImage):
        save(saved_in, BytesIO(bytes(photo[:cut])))


@settings(max_examples=examples(50))
@given(
    st.binary(max_size=200),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF\x00\x00\x00\x00WEBP"]),
)
def test_random_bytes_are_refused_in_words(saved_in: Flask, content: bytes, magic: bytes) -> None:
    with saved_in.app_context(), pytest.raises(BadImage):
        avatars.save(BytesIO(magic + content))


def _close(pixel: object, colour: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=True))
