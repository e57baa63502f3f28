"""Opening posts and menus by finger and mouse, and the way back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse, Launch
from tests.system.paused_requests import requests_paused


def test_a_click_on_a_post_opens_it(alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("Look at #tea, @bob")
    page = browse(bob)
    page.goto("/")
    page.locator(".post-text").click(position={"x": 2, "y": 4})
    expect(page).to_have_url(re.compile(f"/@alice/{post}$"))
    page.locator(".post-text").click(position={"x": 2, "y": 4})
    expect(page).to_have_url(re.compile(f"/@alice/{post}$"))


def test_what_has_a_use_of_its_own_does_not_open_the_post(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("Look at #tea, @bob")
    page = browse(bob)
    page.goto("/")
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    page.locator(".post-head summary").click()
    expect(page.get_by_role("button", name="Mute @alice")).to_be_visible()
    page.locator(".post-text").click(position={"x": 2, "y": 4})  # closes the menu, and nothing else
    expect(page.get_by_role("button", name="Mute @alice")).to_be_hidden()
    mark_words_of(page.locator(".post-text"))
    expect(page).to_have_url(re.compile("[^@]/$"))
    page.get_by_role("link", name="#tea").click()
    expect(page).to_have_url(re.compile("/tags/tea$"))


def mark_words_of(text: Locator) -> None:
    """Draw over the first words with the mouse held down, as to copy them."""
    box = text.bounding_box()
    assert box is not None
    mouse, y = text.page.mouse, box["y"] + 10
    mouse.move(box["x"] + 2, y)
    mouse.down()
    mouse.move(box["x"] + 40, y, steps=3)
    mouse.up()
    assert text.evaluate("() => String(getSelection())")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_menu_is_in_sight_wherever_its_post_is(alice: Member, bob: Member, browse: Browse, width: int) -> None:
    for number in range(8):
        alice.write(f"number {number}")
    page = browse(bob, width=width)
    page.goto("/")
    bar = page.locator(".tabs").bounding_box()
    assert bar is not None
    floor = bar["y"] if width == 390 else 900
    for button in page.locator(".post-head summary").all():
        box = button.bounding_box()
        assert box is not None
        if not 60 < box["y"] < floor - 44:
            continue
        button.click()
        expect(page.get_by_role("button", name="Block @alice")).to_be_visible()
        items = page.locator("details[open] .menu-items").bounding_box()
        assert items is not None and items["y"] >= 0 and items["y"] + items["height"] <= floor, box
        page.keyboard.press("Escape")


@pytest.mark.parametrize("place", ["/", "/@alice"])
def test_a_block_is_asked_about_first(alice: Member, bob: Member, browse: Browse, place: str) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto(place)
    menu = page.locator(".post-head summary" if place == "/" else ".relation summary")
    menu.click()
    page.get_by_role("button", name="Block @alice").click()
    question = page.get_by_role("dialog", name=re.compile("^Block @alice?"))
    expect(question.get_by_role("button", name="Cancel")).to_be_focused()
    question.get_by_role("button", name="Cancel").click()
    page.reload()
    expect(page.get_by_text("hello")).to_be_visible()
    menu.click()
    page.get_by_role("button", name="Block @alice").click()
    question.get_by_role("button", name="Block").click()
    expect(page.get_by_text("hello")).to_have_count(0)


def test_back_leads_to_the_place_in_the_list(alice: Member, bob: Member, browse: Browse, launch: Launch) -> None:
    for number in range(18):
        alice.write(f"number {number:02}")
    with launch(ignore_default_args=["--disable-back-forward-cache"]) as browser:
        page = read_to_the_last(browse, bob, browser)
        page.get_by_text("number 03").click()
        expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
        page.get_by_role("link", name="Back").click()
        expect(page.get_by_role("heading", name="Home")).to_be_visible()
        expect(page.get_by_text("number 03")).to_be_in_viewport()
    page = browse(bob)  # whoever comes from elsewhere
    post = alice.write("out of the blue")
    page.goto(f"/@alice/{post}")
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()


def test_back_from_an_answer_leads_past_its_form(alice: Member, bob: Member, browse: Browse, launch: Launch) -> None:
    alice.write("what do you think?")
    with launch(ignore_default_args=["--disable-back-forward-cache"]) as browser:
        page = browse(bob, browser=browser)
        page.goto("/")
        page.goto(page.get_by_role("link", name="Reply").get_attribute("href") or "")  # as without JavaScript
        page.get_by_label("Write your reply").fill("I think so")
        page.get_by_role("button", name="Reply", exact=True).click()
        expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
        page.get_by_role("link", name="Back").click()
        expect(page.get_by_role("heading", name="Home")).to_be_visible()


def read_to_the_last(browse: Browse, who: Member, browser: Browser) -> Page:
    page = browse(who, browser=browser)
    page.goto("/")
    page.get_by_text("number 03").scroll_into_view_if_needed()
    return page


def test_on_a_phone_one_logs_out_in_the_settings(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    expect(page.get_by_role("button", name="Log out")).to_be_hidden()
    page.locator(".more > summary").click()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()


def test_times_are_those_of_the_readers_clock(alice: Member, browse: Browse) -> None:
    post = alice.write("hello")
    page = browse(timezone_id="Asia/Tokyo")
    page.goto(f"/@alice/{post}")
    moment = page.locator(".post-when time")
    there = moment.evaluate("""time => new Date(time.dateTime).toLocaleTimeString("en-GB", { timeStyle: "short" })""")
    expect(moment).to_contain_text(there)
    expect(moment).not_to_contain_text("UTC")
    plain = browse(scripts=False)
    plain.goto(f"/@alice/{post}")
    expect(plain.locator(".post-when time")).to_contain_text("UTC")


def test_the_first_follow_shows_the_way_to_the_feed(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(carol)
    page.goto("/")
    way = page.get_by_role("link", name="See your feed")
    expect(way).to_be_hidden()
    with requests_paused(page, "**/follow"):
        page.get_by_role("button", name="Follow @alice").click()
        expect(page.locator("[id^=follow-]").first).to_have_text("Following")
        expect(way).to_be_hidden()  # there is no feed yet
    way.click()
    expect(page.get_by_text("hello")).to_be_visible()
