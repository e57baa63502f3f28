"""The files of an image: several sizes, none larger than it was, and nothing of where it was taken."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from app.core.images import BadImage
from app.posts.media import files as image_files
from app.posts.media.cards import CardImage
from app.posts.media.files import Saved
from tests.accounts.images import image_file, moving, two_colours
from tests.examples import examples

PHOTOS = {kind: two_colours(kind, orientation=6).getvalue() for kind in ("JPEG", "PNG", "WEBP")}
PHOTOS |= {"GIF": moving().getvalue(), "moving WEBP": moving("WEBP").getvalue(), "moving PNG": moving("PNG").getvalue()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "media" / "posts"


@pytest.fixture
def keeper(tmp_path: Path) -> Flask:
    """An application that does nothing but keep its files in a folder of this test."""
    app = Flask(__name__)
    app.config["DATA_FOLDER"] = tmp_path
    return app


def save(app: Flask, upload: BytesIO) -> Saved:
    with app.app_context():
        return image_files.save(upload)


def card(saved: Saved) -> CardImage:
    return CardImage(7, saved.file, saved.width, saved.height, saved.is_moving, "")


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """Return which files there are, by the middle of their names, and how large their images are."""
    found = {}
    for path in folder.iterdir():
        with Image.open(path) as image:
            assert image.format == "WEBP"
            found[path.name.split(".")[1]] = image.size
    return found


@pytest.mark.parametrize(
    ("size", "kept"),
    [
        ((60, 40), {"l": (60, 40)}),
        ((480, 480), {"l": (480, 480)}),
        ((481, 300), {"s": (480, 299), "l": (481, 300)}),
        ((1200, 900), {"s": (480, 360), "m": (960, 720), "l": (1200, 900)}),
        ((4000, 3000), {"s": (480, 360), "m": (960, 720), "l": (1920, 1440)}),
        ((1, 9000), {"l": (1, 7680)}),
        ((9000, 1), {"s": (480, 1), "m": (960, 1), "l": (1920, 1)}),
        ((2000, 9000), {"s": (480, 2160), "m": (960, 4319), "l": (1707, 7680)}),
    ],
)
def test_several_sizes_are_kept_and_none_is_larger_than_the_image(
    keeper: Flask, folder: Path, size: tuple[int, int], kept: dict[str, tuple[int, int]]
) -> None:
    saved = save(keeper, image_file("JPEG", size=size))
    assert sizes(folder) == kept
    assert (saved.width, saved.height) == kept["l"]
    shown = card(saved)
    named = {part.split()[0]: int(part.split()[1].removesuffix("w")) for part in shown.srcset.split(", ")}
    assert named == {shown.url(letter): width for letter, (width, _) in kept.items()}
    assert shown.small_url in named and shown.full_url in named


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_place_and_camera_are_in_none_of_the_files(keeper: Flask, folder: Path, kind: str) -> None:
    save(keeper, two_colours(kind, orientation=6))
    for path in folder.iterdir():
        content = path.read_bytes()
        assert b"Secret Camera" not in content and b"EXIF" not in content and b"ICCP" not in content
        with Image.open(path) as image:
            assert dict(image.getexif()) == {}


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_what_moves_goes_on_moving_and_has_a_still_for_those_who_dislike_that(
    keeper: Flask, folder: Path, kind: str
) -> None:
    saved = save(keeper, moving(kind, ["red", "blue", "red"]))
    assert saved.is_moving
    with Image.open(folder / image_files.name(saved.file, "moving")) as image:
        assert (getattr(image, "n_frames", 1), image.info["loop"]) == (3, 0)
    with Image.open(folder / image_files.name(saved.file, "l")) as image:
        assert getattr(image, "n_frames", 1) == 1
    assert card(saved).full_url.endswith(".moving.webp") and "moving" not in card(saved).srcset


@pytest.mark.parametrize(
    ("kind", "odd"),
    [
        ("GIF", {"size": (10, 20_000)}),
        ("PNG", {"size": (10, 20_000)}),
        ("PNG", {"size": (20_000, 10)}),
        ("PNG", {"duration": 20_000_000}),
    ],
)
def test_animations_of_odd_shapes_and_speeds_are_kept(keeper: Flask, kind: str, odd: dict[str, Any]) -> None:
    assert save(keeper, moving(kind, ["red", "blue", "red"], **odd)).is_moving


@pytest.mark.parametrize("error", [RuntimeError("WebPEncodingError: 5"), OSError(28, "No space left on device")])
def test_what_cannot_be_written_leaves_nothing_behind(
    keeper: Flask, folder: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    write = Image.Image.save

    def stumble(image: Image.Image, path: Path, *args: Any, **options: Any) -> None:
        write(image, path, *args, **options)
        if options.get("save_all"):
            raise error

    upload = moving(size=(600, 400))
    monkeypatch.setattr(Image.Image, "save", stumble)
    with pytest.raises(OSError if isinstance(error, OSError) else BadImage):
        save(keeper, upload)
    assert list(folder.iterdir()) == []


def test_names_cannot_be_guessed_and_are_never_used_twice(keeper: Flask) -> None:
    names = {save(keeper, image_file()).file for _ in range(5)}
    assert len(names) == 5 and all(len(name) == 22 for name in names)


def test_removing_takes_all_sizes_and_stays_inside_the_folder(keeper: Flask, folder: Path, tmp_path: Path) -> None:
    gone, kept = save(keeper, moving(size=(600, 400))), save(keeper, image_file())
    outside = tmp_path / "precious.l.webp"
    outside.write_text("still here")
    with keeper.app_context():
        for file in (gone.file, gone.file, "../../precious", "never-there"):
            image_files.remove(file)
    assert [path.name for path in folder.iterdir()] == [f"{kept.file}.l.webp"]
    assert outside.read_text() == "still here"


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("abc_-9.s.webp", "abc_-9"),
        ("abc.moving.webp", "abc"),
        ("abc.x.webp", None),
        ("abc.s.png", None),
        ("abc.s.webp\n", None),
        ("../abc.s.webp", None),
        ("\x00.s.webp", None),
        ("ä.s.webp", None),
        ("a" * 41 + ".s.webp", None),
        (".s.webp", None),
    ],
)
def test_only_names_of_ours_are_looked_up(address: str, file: str | None) -> None:
    assert image_files.file_of(address) == file


def test_what_was_stored_long_ago_is_found(keeper: Flask) -> None:
    now = datetime.now(UTC)
    with keeper.app_context():
        assert image_files.stored_before(now) == set(), "there is not even a folder"
    saved = save(keeper, image_file(size=(600, 400)))
    with keeper.app_context():
        assert image_files.stored_before(now - timedelta(hours=1)) == set()
        assert image_files.stored_before(now + timedelta(hours=1)) == {saved.file}


@pytest.mark.parametrize(
    ("size", "room"),
    [
        ((1600, 900), (560, 315)),
        ((200, 100), (200, 100)),
        ((1000, 2000), (260, 520)),
        ((1000, 9000), (260, 2340)),
        ((9000, 100), (560, 6)),
        ((1, 1), (1, 1)),
        ((1, 5000), (1, 5000)),
    ],
)
def test_the_room_of_an_image_alone_has_its_shape_and_is_never_wider_than_it_is(
    size: tuple[int, int], room: tuple[int, int]
) -> None:
    assert CardImage(7, "file", *size, is_moving=False, alt="").room == room


@settings(max_examples=examples(100))
@given(st.sampled_from(sorted(PHOTOS)), st.data())
def test_a_damaged_file_becomes_an_image_or_is_refused_in_words(keeper: Flask, kind: str, data: st.DataObject) -> None:
    photo = bytearray(PHOTOS[kind])
    places = st.integers(min_value=0, max_value=len(photo) - 1)
    for place, byte in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), min_size=1, max_size=8)):
        photo[place] = byte
    cut = data.draw(st.integers(min_value=1, max_value=len(photo)))
    with suppress(BadImage):
        save(keeper, BytesIO(bytes(photo[:cut])))
