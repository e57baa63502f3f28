"""Progress on the terminal."""

from __future__ import annotations

import pytest

from app.demo.progress import WIDTH, bar, track


def test_the_bar_fills_up() -> None:
    assert bar(0, 4).startswith("░" * WIDTH)
    assert bar(2, 4).startswith("█" * (WIDTH // 2) + "░")
    assert bar(4, 4) == "█" * WIDTH + " 100 %"


def test_outside_a_terminal_a_step_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(track("Posts", [1, 2, 3])) == [1, 2, 3]
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 and "✓ Posts" in lines[0]
