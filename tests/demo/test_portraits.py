"""Pictures for people without a photograph."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from app.accounts.avatars import SIZE
from app.demo.portraits import draw_portrait, save_portrait


def test_a_handle_always_gets_the_same_picture() -> None:
    assert draw_portrait("alice").tobytes() == draw_portrait("alice").tobytes()
    assert draw_portrait("alice").tobytes() != draw_portrait("bob").tobytes()


def test_a_picture_is_small_square_and_under_a_name_nobody_guesses(tmp_path: Path) -> None:
    files = [save_portrait("alice", tmp_path) for _ in range(2)]
    assert files[0] != files[1]
    for file in files:
        assert (tmp_path / file).stat().st_size < 40_000
        with Image.open(tmp_path / file) as image:
            assert (image.format, image.size) == ("WEBP", (SIZE, SIZE))
