"""An image in large, over the page: whole, described, with the others of its post, and back to where one was."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from tests.accounts.images import image_file, moving
from tests.people import Member
from tests.system.clock import settle
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_posting import posts

SWIPE = (("touchStart", 300), ("touchMove", 200), ("touchMove", 100), ("touchEnd", None))
# How much smaller than its file the image is shown, and how much smaller it must be to fit, in its own shape.
SCALES = """(stage, [width, height]) => {
  const shown = stage.firstElementChild.getBoundingClientRect(), room = stage.getBoundingClientRect();
  return [shown.width / width, shown.height / height, Math.min(1, room.width / width, room.height / height)];
}"""


def write(who: Member, text: str, *alts: str, size: tuple[int, int] = (600, 400), **fields: object) -> int:
    """Post images, one for each description; an empty one is none."""
    return write_files(who, text, {who.upload(image_file("JPEG", size=size)): alt for alt in alts}, **fields)


def write_files(who: Member, text: str, alts: dict[int, str], **fields: object) -> int:
    return who.write(text, images=[*alts], **{f"alt-{image}": alt for image, alt in alts.items()}, **fields)


def links(page: Page) -> Locator:
    return posts(page).first.locator(".post-image")


def viewer(page: Page) -> Locator:
    return page.locator("#viewer")


def large(page: Page) -> Locator:
    return viewer(page).get_by_role("img")


def words(page: Page) -> Locator:
    return page.locator("#viewer-words")


def open_home(page: Page, number: int = 0) -> Page:
    """Open one of the images of the newest post at home."""
    page.goto("/")
    links(page).nth(number).click()
    expect(viewer(page)).to_be_visible()
    return page


def finger_on(page: Page) -> CDPSession:
    """A finger for `move`; Playwright itself can only tap."""
    return page.context.new_cdp_session(page)


def move(finger: CDPSession, stops: tuple[tuple[str, int | None], ...]) -> None:
    """Move a finger across the image."""
    for kind, x in stops:
        points = [] if x is None else [{"x": x, "y": 400}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_an_image_opens_in_large_with_its_description_and_escape_leads_back(alice: Member, browse: Browse) -> None:
    write(alice, "alone", "A teal wall")
    page = open_home(browse(alice))
    expect(page.get_by_role("dialog", name="Image", exact=True)).to_be_visible()
    expect(large(page)).to_have_attribute("src", re.compile(r"\.l\.webp$"))
    expect(large(page)).to_have_attribute("alt", "A teal wall")
    expect(words(page)).to_have_text("A teal wall")
    expect(viewer(page).get_by_role("button", name="Close")).to_be_focused()
    expect(viewer(page).get_by_role("button", name="Next image")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(viewer(page)).to_be_hidden()
    expect(links(page).first).to_be_focused()
    assert page.url.endswith("/")


def test_buttons_and_arrow_keys_lead_through_the_post_and_after_the_last_comes_the_first(
    alice: Member, browse: Browse
) -> None:
    write(alice, "three", "One", "", "Three")
    page = open_home(browse(alice), 1)
    place = viewer(page).get_by_role("status")
    expect(place).to_have_text("Image 2 of 3")
    expect(words(page)).to_be_empty()
    page.get_by_role("button", name="Next image").click()
    expect(place).to_have_text("Image 3 of 3")
    expect(words(page)).to_have_text("Three")
    page.get_by_role("button", name="Next image").click()
    expect(page.get_by_role("dialog", name="Image 1 of 3")).to_be_visible()
    page.get_by_role("button", name="Previous image").click()
    expect(place).to_have_text("Image 3 of 3")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(large(page)).to_have_attribute("alt", "One")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text("Image 2 of 3")
    page.keyboard.press("Escape")
    expect(links(page).nth(1)).to_be_focused()


def test_a_swipe_leads_on_and_a_tap_does_not(alice: Member, browse: Browse) -> None:
    write(alice, "two", "One", "Two")
    page = open_home(browse(alice, width=390, has_touch=True))
    large(page).tap()
    expect(words(page)).to_have_text("One")
    move(finger_on(page), SWIPE)
    expect(words(page)).to_have_text("Two")


def test_a_swipe_leads_on_though_the_large_file_comes_meanwhile(alice: Member, browse: Browse) -> None:
    write(alice, "two", "One", "Two")
    page = browse(alice, width=390, has_touch=True)
    with requests_paused(page, "**/*.l.webp"):
        open_home(page)
        finger = finger_on(page)
        move(finger, SWIPE[:2])
    expect(large(page)).to_have_attribute("src", re.compile(r"\.l\.webp$"))
    move(finger, SWIPE[2:])
    expect(words(page)).to_have_text("Two")


def test_a_click_beside_the_image_closes_and_one_on_it_does_not(alice: Member, browse: Browse) -> None:
    write(alice, "alone", "A teal wall")
    page = open_home(browse(alice))
    words(page).click()
    large(page).click()
    page.keyboard.press("/")  # the keys of the page rest: this one would lead to the search
    settle(page)
    assert page.url.endswith("/")
    expect(viewer(page)).to_be_visible()
    page.mouse.click(60, 450)
    expect(viewer(page)).to_be_hidden()
    open_home(page)
    page.get_by_role("button", name="Close").click()
    expect(viewer(page)).to_be_hidden()
    assert page.url.endswith("/")


@pytest.mark.parametrize("modifier", ["ControlOrMeta", "Shift"])
def test_a_click_for_a_new_tab_opens_the_file_there(
    alice: Member, browse: Browse, tabbed: Browser, modifier: Literal["ControlOrMeta", "Shift"]
) -> None:
    write(alice, "alone", "A teal wall")
    page = browse(alice, browser=tabbed)
    page.goto("/")
    with page.context.expect_page() as opened:
        links(page).first.click(modifiers=[modifier])
    opened.value.wait_for_url("**/media/posts/*.l.webp")
    expect(viewer(page)).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_file_itself_is_a_page_that_the_browser_can_lay_out(alice: Member, browse: Browse, scripts: bool) -> None:
    write(alice, "alone", "A teal wall")
    page = browse(alice, scripts=scripts)
    page.goto("/")
    if scripts:
        page.goto(links(page).first.get_attribute("href") or "")
    else:
        links(page).first.click()
    page.wait_for_url("**/media/posts/*.l.webp")
    box = page.locator("img").bounding_box()
    assert box and (box["x"], box["width"]) == (340, 600), "in the middle; and no complaint in the console"


def test_one_can_look_at_the_images_of_one_post_only(alice: Member, bob: Member, browse: Browse) -> None:
    quoted = write(alice, "quoted", "First quoted", "Second quoted")
    write(alice, "behind a warning", "Not to be seen", warning="Spiders")
    write(bob, "mine", "Mine", quote_of=quoted)
    alice.follow(bob)
    page = open_home(browse(alice))
    expect(words(page)).to_have_text("Mine")
    page.keyboard.press("ArrowRight")
    expect(words(page)).to_have_text("Mine")
    page.keyboard.press("Escape")
    posts(page).first.locator(".quoted .post-image").first.click()
    expect(viewer(page).get_by_role("status")).to_have_text("Image 1 of 2")
    page.keyboard.press("ArrowRight")
    expect(words(page)).to_have_text("Second quoted")
    page.keyboard.press("ArrowRight")
    expect(words(page)).to_have_text("First quoted")


def test_the_mark_says_which_images_are_described_and_opens_them(alice: Member, browse: Browse) -> None:
    write(alice, "two", "A teal wall", "")
    page = browse(alice)
    page.goto("/")
    marks = posts(page).first.get_by_text("ALT", exact=True)
    expect(marks).to_have_count(1)
    expect(page.get_by_role("link", name="A teal wall", exact=True)).to_have_count(1)  # and not "A teal wall ALT"
    marks.click()
    expect(words(page)).to_have_text("A teal wall")


def test_a_long_description_can_be_scrolled_by_keyboard(alice: Member, browse: Browse) -> None:
    write(alice, "two", "word " * 190 + "end", "short")
    page = open_home(browse(alice, width=390))
    page.keyboard.press("Tab")
    expect(words(page)).to_be_focused()
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('#viewer-words').scrollTop > 0")
    page.keyboard.press("ArrowRight")
    expect(words(page)).to_have_text("short")
    expect(words(page)).to_have_attribute("tabindex", "-1")


@pytest.mark.parametrize("size", [(40, 30), (1600, 400), (300, 3000)], ids=["tiny", "wide", "tall"])
def test_the_whole_image_fits_the_window_and_is_never_larger_than_it_is(
    alice: Member, browse: Browse, size: tuple[int, int]
) -> None:
    write(alice, "one", "Described", size=size)
    page = browse(alice, width=390)
    page.goto("/")
    expect(links(page).locator("img")).not_to_have_js_property("naturalWidth", 0)
    with requests_paused(page, "**/*.l.webp"):
        links(page).click()
        *before, fitting = page.locator(".viewer-stage").evaluate(SCALES, size)
        assert before == pytest.approx([fitting, fitting], rel=0.02)
    expect(large(page)).to_have_attribute("src", re.compile(r"\.l\.webp$"))
    *after, _ = page.locator(".viewer-stage").evaluate(SCALES, size)
    assert after == before, "room was kept for it"
    expect(large(page)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("motion", "ending"), [("no-preference", ".moving.webp"), ("reduce", ".l.webp")])
def test_an_animation_moves_in_large_only_for_those_who_have_nothing_against_it(
    alice: Member, browse: Browse, motion: str, ending: str
) -> None:
    write_files(alice, "wave", {alice.upload(moving(size=(200, 100))): "A wave"})
    page = open_home(browse(alice, reduced_motion=motion))
    expect(large(page)).to_have_attribute("src", re.compile(re.escape(ending) + "$"))
    expect(page.get_by_role("link", name="Full size")).to_have_attribute("href", re.compile(re.escape(ending) + "$"))
