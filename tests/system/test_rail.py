"""The way around: what has no words beside it says its name, and a number does not push anything aside."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.reading import unread


def test_icons_without_words_say_what_they_are_when_pointed_at(mod: Member, browse: Browse) -> None:
    page = browse(mod, width=900)
    page.goto("/explore")
    tabs = page.get_by_role("navigation", name="Main").get_by_role("link").all()
    titles = [tab.get_attribute("title") for tab in tabs]
    members = ["Home", "Explore", "Search", "Write", "Bookmarks", "Drafts", "Requests", "Profile"]
    assert titles == [*members, "Admin", "Settings"]


@pytest.mark.parametrize("width", [390, 900])
def test_unread_number_does_not_move_the_icons(width: int, alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(bob, width=width)
    page.goto("/")
    tabs = page.get_by_role("navigation", name="Main").get_by_role("link").all()
    before = [tab.bounding_box() for tab in tabs]
    alice.write("new")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(unread(page)).to_have_text("1")
    assert [tab.bounding_box() for tab in tabs] == before
