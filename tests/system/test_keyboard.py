"""Everything by keyboard: reachable, visible, and with the keys that the list of keys promises."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.views import OpenView

# Look at the focused element and its surroundings, then take the focus away and look again: something must differ.
SHOWS_FOCUS = """() => {
  const looks = (element) => {
    const { outlineStyle, outlineWidth, boxShadow, backgroundColor, borderColor } = getComputedStyle(element);
    return [outlineStyle === "none" ? "" : outlineWidth, boxShadow, backgroundColor, borderColor].join();
  };
  const element = document.activeElement;
  const around = [element, element.closest("form"), element.closest("label")].filter(Boolean);
  const focused = around.map(looks).join();
  const name = element.outerHTML.slice(0, 100);
  element.blur();
  const differs = focused !== around.map(looks).join();
  element.focus({ focusVisible: true });
  return [name, differs];
}"""
IS_STILL_ON_THE_PAGE = "() => !document.activeElement.matches('body, .skip')"  # after the last element, Tab leaves it


@pytest.fixture
def feed(alice: Member, browse: Browse) -> Page:
    """Show Alice a feed of four posts."""
    for number in range(4):
        alice.write(f"number {number}")
    page = browse(alice)
    page.goto("/")
    return page


def posts(page: Page) -> Locator:
    return page.get_by_role("feed").get_by_role("article")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_tab_reaches_the_skip_link_first_and_it_leads_past_the_navigation(feed: Page) -> None:
    press(feed, "Tab")
    skip = feed.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    press(feed, "Enter")
    expect(feed.get_by_role("main")).to_be_focused()
    press(feed, "Tab")
    expect(feed.get_by_label("Jump to a date").first).to_be_focused()
    press(feed, "Tab")
    expect(feed.get_by_label("Write a post")).to_be_focused()


def test_j_and_k_move_through_the_feed_and_stop_at_its_ends(feed: Page) -> None:
    for key, place in [("j", 0), ("j", 1), ("j", 2), ("j", 3), ("j", 3), ("k", 2), ("k", 1), ("k", 0), ("k", 0)]:
        press(feed, key)
        expect(posts(feed).nth(place)).to_be_focused()
        expect(posts(feed).nth(place)).to_be_in_viewport()


def test_j_at_the_end_of_a_page_fetches_the_next_one(alice: Member, browse: Browse) -> None:
    for number in range(22):
        alice.write(f"number {number}")
    page = browse(alice)
    page.goto("/")
    press(page, *["j"] * 20)
    expect(posts(page)).to_have_count(22)
    press(page, "j")
    expect(posts(page).nth(20)).to_be_focused()


@pytest.mark.parametrize("key", ["Enter", "o"])
def test_key_opens_the_focused_post(key: str, feed: Page) -> None:
    press(feed, "j", "j", key)
    expect(feed.get_by_role("heading", name="Post", exact=True)).to_be_visible()
    expect(feed.get_by_role("article")).to_contain_text("number 2")


def test_o_without_a_focused_post_does_nothing(feed: Page) -> None:
    press(feed, "o", "j")
    expect(posts(feed).first).to_be_focused()


def test_n_leads_to_the_composer_and_letters_are_letters_there(feed: Page) -> None:
    press(feed, "n")
    composer = feed.get_by_label("Write a post")
    expect(composer).to_be_focused()
    feed.keyboard.type("jk no? gh")
    expect(composer).to_have_value("jk no? gh")
    expect(feed.locator("#keys")).to_be_hidden()


def test_n_elsewhere_begins_a_post_over_the_page(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/explore")
    press(page, "n")
    expect(page.get_by_role("dialog", name="New post")).to_be_visible()
    expect(page.get_by_label("Write a post")).to_be_focused()


def test_question_mark_lists_the_keys_and_escape_closes_the_list(feed: Page) -> None:
    press(feed, "j", "?")
    keys = feed.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys).to_be_visible()
    expect(keys.get_by_role("button", name="Close")).to_be_focused()
    press(feed, "j", "?", "Escape")
    expect(keys).to_be_hidden()
    expect(posts(feed).first).to_be_focused()


def test_g_and_a_letter_go_places(feed: Page) -> None:
    press(feed, "g", "e")
    expect(feed.get_by_role("heading", name="Explore")).to_be_visible()
    press(feed, "g", "h")
    expect(feed.get_by_role("heading", name="Home")).to_be_visible()


def test_keys_with_ctrl_or_alt_belong_to_the_browser(feed: Page) -> None:
    press(feed, "Control+j", "Alt+j")
    expect(posts(feed).first).not_to_be_focused()


@pytest.mark.parametrize(
    "name",
    [
        *("welcome", "log in", "sign up", "home", "home, menu open", "other profile, menu open", "people"),
        *("settings: profile", "settings: looks", "settings: muted", "own post", "question before deleting"),
    ],
)
def test_whatever_tab_reaches_shows_that_it_has_the_focus_on(name: str, open_view: OpenView) -> None:
    page = open_view(name)
    page.locator(".skip").evaluate("(link) => link.focus({ focusVisible: true })")
    reached, invisible = 0, []
    while not reached or page.evaluate(IS_STILL_ON_THE_PAGE):
        what, differs = page.evaluate(SHOWS_FOCUS)
        reached += 1
        invisible += [] if differs else [what]
        press(page, "Tab")
    assert invisible == []
    assert reached >= page.locator("main").locator("a:visible, button:visible, textarea:visible").count()
