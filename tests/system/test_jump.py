"""Jump to a date in the browser: from the heading of home and from a profile, with and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.feed.test_jump import diary
from tests.people import Member
from tests.system.conftest import Browse

__all__ = ["diary"]  # the fixture


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("path", "width"), [("/", 1280), ("/@alice", 390)])
def test_a_day_is_two_clicks_away(
    alice: Member, diary: list[int], browse: Browse, path: str, width: int, scripts: bool
) -> None:
    page = browse(alice, width=width, scripts=scripts)
    page.goto(path)
    page.locator(".heading-jump summary, .profile-jump summary").click()
    page.locator("#jump-date").fill("2026-02-10")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("Showing posts from 10 February 2026 and earlier.")).to_be_visible()
    expect(page.get_by_role("article").first).to_contain_text("on 10 February")
    page.get_by_role("link", name="Back to top").click()
    expect(page.get_by_role("article").first).to_contain_text("on 22 March")


def test_scrolling_goes_on_from_there(alice: Member, diary: list[int], browse: Browse) -> None:
    page = browse(alice)
    page.goto("/feed/jump?date=2026-03-10")
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.get_by_role("article")).to_have_count(40)
