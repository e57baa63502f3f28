"""Comfortable and compact: as chosen, from the first byte on, and worth choosing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse

WORDS = (
    "Rain.",
    "The ferry is late, and so is the kettle, but the kettle has an excuse.",
    "A line\nand another\nand more",
)


def choose(page: Page, density: str) -> None:
    page.goto("/settings/appearance")
    page.get_by_label(density, exact=True).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label(density, exact=True)).to_be_checked()
    page.goto("/@alice")
    expect(page.get_by_role("article").first).to_be_visible()


def posts_in_900_pixels(page: Page) -> float:
    boxes = [post.bounding_box() for post in page.get_by_role("article").all()]
    heights = [box["height"] for box in boxes if box]
    return 900 / (sum(heights) / len(heights))


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
@pytest.mark.parametrize("width", [390, 1280])
def test_compact_shows_at_least_thirty_percent_more_posts(
    alice: Member, browse: Browse, width: int, scripts: bool
) -> None:
    for text in WORDS * 3:
        alice.write(text)
    page = browse(alice, width=width, scripts=scripts)
    page.goto("/@alice")  # not Home, where a line says what was seen
    roomy = posts_in_900_pixels(page)
    choose(page, "Compact")
    assert posts_in_900_pixels(page) >= 1.3 * roomy
    choose(page, "Comfortable")
    assert posts_in_900_pixels(page) == pytest.approx(roomy)


def test_what_a_finger_presses_in_a_compact_post_lies_beside_its_neighbours(alice: Member, browse: Browse) -> None:
    for text in WORDS:
        alice.write(text)
    page = browse(alice, width=320)
    choose(page, "Compact")
    boxes = [each.bounding_box() for each in page.locator(".post :is(.action, summary.icon-button)").all()]
    shown = [box for box in boxes if box]
    assert len(shown) == 5 * len(WORDS)
    assert all(box["height"] >= 24 and box["width"] >= 24 for box in shown)
    for number, one in enumerate(shown):
        for other in shown[number + 1 :]:
            is_beside = one["x"] + one["width"] <= other["x"] + 0.5 or other["x"] + other["width"] <= one["x"] + 0.5
            is_below = one["y"] + one["height"] <= other["y"] + 0.5 or other["y"] + other["height"] <= one["y"] + 0.5
            assert is_beside or is_below
