"""Images of strangers: drawn anew, upright and without what was hidden in them; bombs are not opened."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest
from PIL import Image, ImageCms

from app.core import images
from app.core.images import BadImage, Frames
from tests.accounts.images import gif_of, gif_that_grows, image_file, moving, noise, png_that_claims, two_colours

RED, BLUE, WHITE = (254, 0, 0), (0, 0, 254), (255, 255, 255)


def still(upload: BytesIO, within: tuple[int, int] = (1000, 1000)) -> Image.Image:
    with images.opened(upload) as image:
        return images.still_of(image, within=within)


def frames(upload: BytesIO, *, widest: int = 1000, most_pixels: int = 10_000_000) -> Frames | None:
    with images.opened(upload) as image:
        return images.frames_of(image, widest=widest, most_pixels=most_pixels)


def close(pixel: object, colour: tuple[int, int, int]) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=True))


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_photo_stands_upright_and_keeps_nothing_hidden(kind: str, orientation: int) -> None:
    picture = still(two_colours(kind, orientation=orientation))
    assert close(picture.getpixel((32, 16)), RED) and close(picture.getpixel((32, 48)), BLUE)
    assert picture.info == {} and dict(picture.getexif()) == {}


def test_the_room_is_meant_for_the_photo_as_it_is_seen() -> None:
    exif = Image.Exif()
    exif[images.ORIENTATION] = 6
    lying = BytesIO()
    Image.new("RGB", (4000, 1000)).save(lying, "JPEG", exif=exif)
    lying.seek(0)
    assert still(lying, within=(500, 3000)).size == (500, 2000)


@pytest.mark.parametrize(("size", "seen"), [((60, 40), (60, 40)), ((4000, 3000), (1000, 750)), ((1, 9000), (1, 1000))])
def test_nothing_becomes_larger_than_it_was_or_may_be(size: tuple[int, int], seen: tuple[int, int]) -> None:
    assert still(image_file("JPEG", size=size)).size == seen


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "P"), ("PNG", "LA"), ("PNG", "1"), ("JPEG", "CMYK"), ("GIF", "P")])
def test_colours_survive_however_they_were_stored(kind: str, mode: str) -> None:
    assert close(still(image_file(kind, mode, colour="white")).getpixel((5, 5)), WHITE)


def with_scans(count: int) -> BytesIO:
    """Return a JPEG of which one scan that refines comes again and again: a hundred bytes each, and all the pixels."""
    file = BytesIO()
    Image.new("L", (64, 64), 128).save(file, "JPEG", progressive=True, quality=50)
    body = file.getvalue()
    scans = [at for at in range(len(body)) if body[at : at + 2] == b"\xff\xda"]
    start = body.rfind(b"\xff\xc4", 0, scans[3])
    more = count - len(scans)
    return BytesIO(body[: scans[4]] + body[start : scans[4]] * more + body[scans[4] :])


def test_a_photo_with_no_end_of_scans_is_not_opened() -> None:
    assert still(with_scans(images.MAX_SCANS)).size == (64, 64)
    with pytest.raises(BadImage, match="too many layers"):
        still(with_scans(images.MAX_SCANS + 1))


def test_sixteen_bits_become_eight() -> None:
    file = BytesIO()
    Image.new("I;16", (60, 40), 0x8000).save(file, "PNG")
    assert close(still(BytesIO(file.getvalue())).getpixel((5, 5)), (128, 128, 128))


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "GIF"])
def test_what_was_transparent_is_white(kind: str) -> None:
    file = BytesIO()
    Image.new("RGBA", (50, 50), (255, 0, 0, 0)).save(file, kind)
    assert close(still(BytesIO(file.getvalue())).getpixel((20, 20)), WHITE)


def test_colours_are_translated_before_the_profile_that_describes_them_is_dropped() -> None:
    """In the profile of this image red means blue."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = profile.index(b"rXYZ"), profile.index(b"bXYZ")
    profile[red : red + 4], profile[blue : blue + 4] = b"bXYZ", b"rXYZ"
    file = BytesIO()
    Image.new("RGB", (9, 9), "red").save(file, "JPEG", icc_profile=bytes(profile))
    picture = still(BytesIO(file.getvalue()))
    assert close(picture.getpixel((5, 5)), BLUE)
    assert picture.info == {}


def test_a_profile_of_another_kind_of_image_says_nothing() -> None:
    file = BytesIO()
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    Image.new("RGB", (9, 9), "red").save(file, "PNG", icc_profile=profile)
    assert close(still(BytesIO(file.getvalue())).getpixel((5, 5)), RED)


@pytest.mark.parametrize("profile", [b"nonsense", b"\x00" * 200])
def test_a_broken_profile_is_no_reason_to_refuse_a_photo(profile: bytes) -> None:
    file = BytesIO()
    Image.new("RGB", (9, 9), "red").save(file, "PNG", icc_profile=profile)
    assert close(still(BytesIO(file.getvalue())).getpixel((5, 5)), RED)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_what_moves_is_read_frame_by_frame(kind: str) -> None:
    read = frames(moving(kind, ["red", "blue", "red"]))
    assert read is not None
    assert [close(picture.getpixel((5, 5)), RED) for picture in read.pictures] == [True, False, True]
    assert read.durations == [80, 80, 80]


@pytest.mark.parametrize("upload", [image_file("GIF", "P"), image_file("PNG"), image_file("WEBP"), image_file("JPEG")])
def test_what_stands_still_has_no_frames(upload: BytesIO) -> None:
    assert frames(upload) is None


def test_a_photo_with_its_own_preview_in_it_is_no_animation() -> None:
    assert frames(moving("MPO")) is None


def test_a_long_animation_becomes_smaller() -> None:
    read = frames(moving(size=(400, 200), colours=["red", "blue"] * 5), widest=300, most_pixels=200_000)
    assert read is not None and {picture.size for picture in read.pictures} == {(200, 100)}
    read = frames(moving(size=(400, 200)), widest=300)
    assert read is not None and read.pictures[0].size == (300, 150)


def test_frames_that_hurry_are_slowed_down_as_browsers_do() -> None:
    read = frames(moving(duration=0))
    assert read is not None and read.durations == [100, 100]


def test_nothing_is_longer_or_lasts_longer_than_can_be_stored() -> None:
    read = frames(moving(size=(10, 20_000)))
    assert read is not None and read.pictures[0].size == (8, 16_383)
    read = frames(moving("PNG", duration=20_000_000))
    assert read is not None and read.durations == [60_000, 60_000]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: gif_of(500_000), "too long or too large"),
        (lambda: gif_of(301), "too long or too large"),
        (lambda: gif_of(20, size=(3000, 3000)), "too long or too large"),
        (lambda: gif_that_grows(4_000, 4_000), "frames of different sizes"),
        (lambda: gif_that_grows(12_000, 12_000), "too many pixels"),
        (lambda: png_that_claims(9_000, 9_000), "too many pixels"),
        (lambda: png_that_claims(60_000, 60_000), "too many pixels"),
        (lambda: png_that_claims(5_000, 5_000), "damaged"),
        (lambda: BytesIO(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "isn’t an image Freshet can read"),
        (lambda: image_file("BMP"), "isn’t an image Freshet can read"),
        (lambda: BytesIO(noise(at_least=50_000).getvalue()[:20_000]), "damaged"),
        (lambda: BytesIO(moving("WEBP", size=(300, 200)).getvalue()[:-60]), "damaged"),
        (lambda: BytesIO(b""), "isn’t an image Freshet can read"),
    ],
)
def test_bombs_and_what_is_no_image_are_refused_in_words(make: Callable[[], BytesIO], sentence: str) -> None:
    upload = make()  # here, for some are large, and every process of the tests imports this file
    with pytest.raises(BadImage, match=sentence):
        frames(upload) or still(BytesIO(upload.getvalue()))


def test_after_a_refusal_the_next_image_is_read() -> None:
    for _ in range(3):
        with pytest.raises(BadImage):
            still(BytesIO(b"nothing"))
    assert still(image_file()).size == (60, 40)
