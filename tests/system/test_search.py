"""Searching in a real browser: by hand, by keyboard, and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse


@pytest.fixture
def birds(join: Callable[..., Member], alice: Member) -> list[int]:
    """Thirty posts about herons, one about a swift, and somebody of that name."""
    join("heron_watch", name="Heron Watch")
    alice.write("a swift #swifts")
    return [alice.write(f"heron number {number} #herons") for number in range(30)]


def results(page: Page) -> int:
    return page.get_by_role("article").count()


def test_a_slash_leads_to_the_field_and_enter_to_the_results(bob: Member, browse: Browse, birds: list[int]) -> None:
    page = browse(bob)
    page.goto("/")
    expect(page.get_by_role("article").first).to_be_visible()
    page.keyboard.press("/")
    page.wait_for_url("**/search")
    field = page.get_by_role("searchbox", name="Search")
    expect(field).to_be_focused()
    field.press_sequentially("heron")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=heron")
    expect(page.get_by_role("link", name=re.compile("#herons"))).to_have_count(
        21
    )  # a chip, and one in each of 20 posts
    expect(page.get_by_role("link", name=re.compile("@heron_watch"))).to_be_visible()
    expect(field).to_have_value("heron")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type("swift")
    expect(field).to_have_value("swift")  # what was there is selected, and so replaced
    page.keyboard.press("/")
    expect(field).to_have_value("swift/")  # whoever types, types
    assert birds


def test_results_go_on_as_one_scrolls(bob: Member, browse: Browse, birds: list[int]) -> None:
    page = browse(bob)
    page.goto("/search?q=heron")
    expect(page.get_by_role("article")).to_have_count(20)
    page.get_by_role("link", name="More", exact=True).scroll_into_view_if_needed()
    expect(page.get_by_role("article")).to_have_count(30)
    expect(page.locator(".pager-end")).to_be_visible()
    assert len({post.get_attribute("data-entry") for post in page.get_by_role("article").all()}) == len(birds)


def test_it_works_without_javascript(bob: Member, browse: Browse, birds: list[int]) -> None:
    page = browse(bob, scripts=False)
    page.goto("/explore")
    page.get_by_role("searchbox", name="Search").fill('"heron number" -7')
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("article")).to_have_count(20)
    page.get_by_role("link", name="More", exact=True).click()
    expect(page.get_by_role("article")).to_have_count(9)
    page.get_by_role("navigation", name="What to search").get_by_role("link", name="Tags").click()
    expect(page.get_by_role("searchbox", name="Search")).to_have_value('"heron number" -7')
    page.get_by_role("searchbox", name="Search").fill("swi")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="#swifts").click()
    expect(page.get_by_role("heading", name="#swifts")).to_be_visible()
    assert birds


def test_the_list_of_keys_names_the_slash(bob: Member, browse: Browse) -> None:
    page = browse(bob)
    page.goto("/search")
    page.locator("body").click(position={"x": 5, "y": 5})
    page.keyboard.press("?")
    expect(page.locator("#keys").get_by_text("search", exact=True)).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("path", ["/search", "/search?q=unheard"])
def test_the_tips_are_one_click_away(stranger: Member, browse: Browse, path: str, scripts: bool) -> None:
    page = browse(None, scripts=scripts)
    page.goto(path)
    page.get_by_role("link", name="Search tips").click()
    expect(page.get_by_text("posts with both words, anywhere")).to_be_visible()
    if "q=" in path:
        expect(page.get_by_role("searchbox", name="Search")).to_have_value("unheard")
