"""The frame on a phone: one bar, a composer of one line, posts at once, and everything in two taps."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.reading import left_off, shown, wait_until_seen

PHONES = [(390, 844), (360, 640), (320, 568)]
WITH_AND_WITHOUT = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
LONGEST_WORDS = "More is new further down, since Wednesday afternoon"  # feed/_left_off.html
IN_MORE = {"Search": "/search", "Bookmarks": "/bookmarks", "Drafts": "/drafts", "Settings": "/settings/"}


def folded(page: Page) -> Locator:
    return page.locator(".composer-folded")


def words(page: Page) -> Locator:
    return page.locator(".composer-folded-words")


def more(page: Page) -> Locator:
    return page.locator(".more > summary")


def open_more(page: Page) -> Locator:
    more(page).click()
    menu = page.locator(".more > .menu-items")
    expect(menu).to_be_visible()
    return menu


def write_over_the_page(page: Page, text: str) -> None:
    folded(page).click()
    expect(page.get_by_label("Write a post")).to_be_focused()
    page.keyboard.type(text)


def expect_first_post_in_first_third(page: Page) -> None:
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        box = page.get_by_role("article").first.bounding_box()
        assert box and box["y"] <= height / 3, (width, height, box)


# ---- Posts at once


@WITH_AND_WITHOUT
def test_the_first_post_begins_in_the_first_third_of_the_screen(
    app: Flask, alice: Member, bob: Member, browse: Browse, scripts: bool
) -> None:
    old = alice.write("old")
    page = browse(bob, width=320, scripts=scripts)
    page.goto("/")
    expect(page.locator(".left-off-way")).to_have_count(0)
    expect_first_post_in_first_third(page)
    if scripts:  # else what was opened is seen
        wait_until_seen(app, bob, [old])
    for number in range(21):
        alice.write(f"new {number}")
    page.goto("/")
    expect(page.locator(".left-off-way")).to_contain_text("new since")
    expect(page.get_by_role("link", name="Continue where you left off")).to_be_visible()
    expect_first_post_in_first_third(page)
    page.locator(".left-off-way > span").evaluate("(span, words) => (span.textContent = words)", LONGEST_WORDS)
    expect_first_post_in_first_third(page)


def test_the_first_post_begins_there_also_below_a_draft_and_the_line(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("old")
    page = browse(bob, width=320)
    page.goto("/")
    wait_until_seen(app, bob, shown(page))
    write_over_the_page(page, "many words " * 20)
    page.keyboard.press("Escape")
    page.reload()
    expect(words(page)).to_contain_text("Draft: many words")
    expect(left_off(page)).to_be_visible()
    expect_first_post_in_first_third(page)


def test_there_is_one_bar_above_the_posts_and_one_below(alice: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(alice, width=390)
    page.goto("/")
    expect(page.locator(".rail .brand")).to_be_hidden()
    bar, top = page.locator(".tabs").bounding_box(), page.locator(".heading").bounding_box()
    assert top and top["y"] == 0 and top["height"] <= 56
    assert bar and bar["y"] + bar["height"] == 900


# ---- The composer in one line


def test_the_folded_composer_opens_over_the_page_and_shows_what_was_begun(alice: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(alice, width=390)
    page.goto("/")
    expect(page.get_by_label("Write a post")).to_be_hidden()
    line = folded(page).bounding_box()
    assert line and line["height"] <= 56
    write_over_the_page(page, "half a thought")
    page.keyboard.press("Escape")
    expect(folded(page)).to_be_focused()
    expect(words(page)).to_have_text("Draft: half a thought")
    page.reload()
    expect(words(page)).to_have_text("Draft: half a thought")
    write_over_the_page(page, ", and the rest")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").first).to_contain_text("half a thought, and the rest")
    expect(words(page)).to_have_text("What’s new?")


def test_a_draft_of_a_reply_is_not_shown_as_the_next_post(alice: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(alice, width=390)
    page.goto("/")
    page.get_by_role("link", name="Reply").click()
    expect(page.get_by_label("Write your reply")).to_be_focused()
    page.keyboard.type("half an answer")
    page.keyboard.press("Escape")
    expect(page.locator("#drafts-in-menu")).to_have_text("1")
    expect(words(page)).to_have_text("What’s new?")


def test_a_key_opens_the_folded_composer_too(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    page.keyboard.press("n")
    expect(page.get_by_label("Write a post")).to_be_focused()


def test_without_javascript_the_folded_composer_leads_to_the_page_for_writing(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390, scripts=False)
    page.goto("/")
    folded(page).click()
    page.get_by_label("Write a post").fill("by hand")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").first).to_contain_text("by hand")


def test_on_a_desk_the_composer_is_unfolded(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    expect(page.get_by_label("Write a post")).to_be_visible()
    expect(folded(page)).to_be_hidden()
    expect(more(page)).to_be_hidden()


# ---- Two taps


@WITH_AND_WITHOUT
def test_two_taps_lead_from_anywhere_to_what_has_no_tab(alice: Member, browse: Browse, scripts: bool) -> None:
    post = alice.write("hello")
    page = browse(alice, width=320, scripts=scripts)
    page.set_viewport_size({"width": 320, "height": 568})
    for place in ("/", "/explore", "/@alice", f"/@alice/{post}", "/settings/feed"):
        for name, path in IN_MORE.items():
            page.goto(place)
            link = open_more(page).get_by_role("link", name=name)
            box = link.bounding_box()
            assert box and box["height"] >= 44 and box["y"] >= 0 and box["x"] >= 0 and box["x"] + box["width"] <= 320
            link.click()
            page.wait_for_url(f"**{path}")


def test_admins_find_their_pages_there(mod: Member, browse: Browse) -> None:
    page = browse(mod, width=390)
    page.goto("/")
    open_more(page).get_by_role("link", name="Admin").click()
    expect(page).to_have_url(re.compile("/admin$"))
    page.get_by_role("main").get_by_role("link", name=re.compile("^Feed ")).click()
    expect(page).to_have_url(re.compile("/admin/feed$"))


def test_more_says_that_there_are_drafts(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    has_dot = "summary => getComputedStyle(summary, '::after').display !== 'none'"
    has_dot += " && getComputedStyle(summary, '::after').content !== 'none'"
    assert not more(page).evaluate(has_dot)
    write_over_the_page(page, "half a thought")
    page.keyboard.press("Escape")
    for path in ("/explore", "/@alice"):
        page.goto(path)
        expect(more(page)).to_contain_text("More, drafts kept")
        assert more(page).evaluate(has_dot)
    expect(open_more(page).get_by_role("link", name="Drafts").locator(".badge")).to_have_text("1")


def test_the_current_page_is_marked_in_the_bar_and_behind_more(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/explore")
    expect(page.locator(".tab[aria-current]:visible")).to_have_text(["Explore"])
    page.goto("/bookmarks")
    expect(more(page)).to_have_attribute("aria-current", "true")
    expect(open_more(page).locator("[aria-current=page]")).to_have_text("Bookmarks")


# ---- Thumbs and keys


@pytest.mark.parametrize("width", [320, 390])
def test_every_tab_of_the_bar_is_big_enough_for_a_thumb(alice: Member, browse: Browse, width: int) -> None:
    page = browse(alice, width=width)
    page.goto("/")
    tabs = [tab.bounding_box() for tab in page.locator(".tab:visible").all()]
    assert len(tabs) == 5
    assert all(box and box["width"] >= 44 and box["height"] >= 44 and box["y"] >= 830 for box in tabs)


def test_a_phone_on_its_side_reaches_every_tab(mod: Member, browse: Browse) -> None:
    page = browse(mod, width=844)
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto("/explore")
    for tab in page.locator(".tab:visible").all():
        tab.scroll_into_view_if_needed()
        expect(tab).to_be_in_viewport(ratio=1)


def test_by_keyboard_more_opens_leads_in_and_gives_the_focus_back(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    page.locator(".tab-person").focus()
    page.keyboard.press("Tab")
    expect(more(page)).to_be_focused()
    page.keyboard.press("Enter")
    for name in ("Search", "Bookmarks", "Drafts"):
        page.keyboard.press("Tab")
        expect(page.locator(".more").get_by_role("link", name=name)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".more > .menu-items")).to_be_hidden()
    expect(more(page)).to_be_focused()


@pytest.mark.parametrize("width", [390, 900, 1280])
def test_tab_goes_through_the_tabs_as_the_eye_does(alice: Member, browse: Browse, width: int) -> None:
    page = browse(alice, width=width)
    page.goto("/explore")
    names = [tab.get_attribute("title") for tab in page.locator(".tab:visible").all()]
    page.locator(".tab-home").focus()
    boxes = []
    for _ in names:
        boxes.append(page.evaluate("(({ x, y }) => [y, x])(document.activeElement.getBoundingClientRect())"))
        page.keyboard.press("Tab")
    assert boxes == sorted(boxes) and len({tuple(box) for box in boxes}) == len(names)


def test_more_is_closed_on_the_way_back(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    open_more(page).get_by_role("link", name="Bookmarks").click()
    page.wait_for_url("**/bookmarks")
    page.go_back()
    expect(more(page)).to_be_visible()
    expect(page.locator(".more > .menu-items")).to_be_hidden()
