"""The search field offers what one may mean and what one searched for lately; the latter stays in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse


def open_field(page: Page) -> None:
    page.get_by_role("searchbox", name="Search").click()


def search(page: Page, words: str) -> None:
    page.goto("/search")
    page.get_by_role("searchbox", name="Search").fill(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=*")


def recent(page: Page) -> list[str]:
    return page.get_by_role("list", name="Recent searches").get_by_role("link").all_inner_texts()


def test_recent_searches_are_offered_and_can_be_removed(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    for words in ("heron", "two words", "heron"):
        search(page, words)
    page.goto("/search")
    open_field(page)
    expect(page.get_by_role("link", name="heron")).to_be_visible()
    assert recent(page) == ["heron", "two words"]
    page.get_by_role("button", name="Remove “heron” from your recent searches").click()
    expect(page.get_by_role("link", name="heron")).to_have_count(0)
    page.get_by_role("link", name="two words").click()
    page.wait_for_url("**/search?q=two*words")
    page.goto("/search")
    open_field(page)
    page.get_by_role("button", name="Clear your recent searches").click()
    expect(page.locator("#suggestions")).to_be_hidden()
    page.reload()
    open_field(page)
    expect(page.locator("#suggestions")).to_be_hidden()


def test_strangers_are_offered_people_and_tags_too(alice: Member, browse: Browse) -> None:
    alice.write("#alicante in spring")
    page = browse(None)
    page.goto("/search")
    page.get_by_role("searchbox", name="Search").press_sequentially("alic")
    expect(page.get_by_role("list", name="People")).to_contain_text("@alice")
    page.get_by_role("link", name="#alicante").click()
    page.wait_for_url("**/tags/alicante")


def test_they_are_ones_own_and_go_with_a_log_out(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(alice)
    search(page, "secret")
    assert "secret" in page.evaluate("JSON.stringify(localStorage)")
    page.get_by_role("button", name="Log out").first.click()
    page.wait_for_url("**/")
    assert "secret" not in page.evaluate("JSON.stringify(localStorage)")


@pytest.mark.parametrize("width", [320, 1280])
def test_people_and_tags_are_offered_while_one_types(alice: Member, bob: Member, browse: Browse, width: int) -> None:
    alice.write("#alicante in spring")
    page = browse(bob, width=width)
    page.goto("/search")
    field = page.get_by_role("searchbox", name="Search")
    field.press_sequentially("alic")
    expect(page.get_by_role("link", name="@alice")).to_be_visible()
    expect(page.get_by_role("link", name="#alicante")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="@alice")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("link", name="#alicante")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#suggestions")).to_be_hidden()
    expect(field).to_be_focused()
    expect(field).to_have_value("alic")
    field.press_sequentially("e")
    expect(page.get_by_role("link", name="@alice")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/@alice")


# ---- Where there is room: beside the page


def test_beside_a_search_stand_the_recent_ones_and_can_be_removed(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    search(page, "heron")
    search(page, "swift")
    beside = page.locator("aside #recent-searches")
    expect(beside.get_by_role("link")).to_have_text(["swift", "heron"])
    beside.get_by_role("button", name="Remove “swift” from your recent searches").click()
    expect(beside.get_by_role("link")).to_have_text(["heron"])
    expect(beside.get_by_role("link")).to_be_focused()
    beside.get_by_role("link", name="heron").click()
    page.wait_for_url("**/search?q=heron")
    beside.get_by_role("button", name="Clear your recent searches").click()
    expect(beside).to_be_hidden()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('searches:'))") == []


def test_what_stands_beside_the_page_is_not_offered_again_until_asked_for(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    search(page, "heron")
    page.goto("/search")
    expect(page.locator("aside #recent-searches")).to_be_visible()
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    expect(page.locator("#suggestions")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#suggestions").get_by_role("link", name="heron")).to_be_focused()


def test_on_a_phone_the_field_offers_them(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    search(page, "heron")
    page.goto("/search")
    expect(page.locator("aside #recent-searches")).to_be_hidden()
    expect(page.locator("#suggestions").get_by_role("link", name="heron")).to_be_visible()


def test_a_page_without_searches_has_no_empty_box(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/search")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    expect(page.locator("aside")).to_be_hidden()
