"""Reposts, quotes and warnings in the browser: without a reload, from the keyboard, and as plain forms and links."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, expect

from tests.outbox import drain
from tests.people import Member
from tests.system.conftest import Browse


def button(page: Page, number: int = 0) -> Locator:
    return page.get_by_role("article").nth(number).locator(".action-repost")


def choose(page: Page, words: str, number: int = 0) -> None:
    """Open the menu of a card's reposts and choose from it."""
    button(page, number).click()
    page.get_by_role("article").nth(number).get_by_role("button", name=words, exact=True).click()


def expect_reposted(page: Page, number: int = 0, *, is_on: bool = True) -> None:
    expect(button(page, number)).to_have_class(re.compile(r"is-on" if is_on else r"^(?!.*is-on)"))


def top_of(element: Locator) -> float:
    return float(element.evaluate("element => element.getBoundingClientRect().top"))


def test_a_click_reposts_and_nothing_jumps(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    below = page.get_by_role("article").nth(1)
    before = top_of(below)
    choose(page, "Repost")
    expect_reposted(page)
    expect(button(page)).to_be_focused()
    assert top_of(below) == before
    expect(page.locator("#toasts")).to_contain_text("Reposted.")  # it shows before the server has answered
    expect(page.locator(".htmx-request")).to_have_count(0)
    choose(page, "Undo repost")
    expect_reposted(page, is_on=False)
    expect(button(page)).to_be_focused()
    expect(page.get_by_role("article")).to_have_count(2)  # the post itself stays


def test_without_javascript_the_menu_reposts_quotes_and_undoes(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob, scripts=False)
    page.goto("/explore")
    choose(page, "Repost")
    expect_reposted(page)
    choose(page, "Undo repost")
    expect_reposted(page, is_on=False)
    button(page).click()
    page.get_by_role("article").get_by_role("link", name="Quote").click()
    expect(page.get_by_role("heading", name="Quote", level=1)).to_be_visible()


def test_undoing_ones_own_repost_takes_its_entry_off_the_page(
    app: Flask, bob: Member, carol: Member, browse: Browse
) -> None:
    post = carol.write("worth it")
    bob.write("below")
    bob.send(f"/posts/{post}/repost")
    drain(app)
    page = browse(bob)
    page.goto("/")
    expect(page.get_by_text("Reposted by you")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("t")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_have_count(1)
    expect(page.get_by_role("article")).to_be_focused()  # the keyboard goes on from there
    expect(page.get_by_text("worth it")).to_have_count(0)


def test_t_and_q_act_on_the_post_that_the_keyboard_is_at(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Repost", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect_reposted(page)
    expect_reposted(page, 1, is_on=False)
    page.keyboard.press("j")
    page.keyboard.press("q")
    dialog = page.get_by_role("dialog", name="Quote")
    expect(dialog.locator(".quoted")).to_contain_text("below")
    expect(dialog.get_by_label("Write a post")).to_be_focused()
    page.keyboard.type("what I think of it")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("article").first).to_contain_text("what I think of it")
    expect(page.get_by_role("article").first.locator(".quoted")).to_contain_text("below")


def test_t_and_q_do_nothing_where_it_is_not_allowed(alice: Member, bob: Member, browse: Browse) -> None:
    alice.send("/posts", text="hush", audience="followers")
    page = browse(bob)
    page.goto("/")
    for key in ("j", "t", "q", "x"):
        page.keyboard.press(key)
    expect(page.get_by_role("heading", name="Home", level=1)).to_be_visible()
    expect(button(page)).to_have_count(0)


def test_ones_own_letter_is_reposted_from_its_menu(alice: Member, browse: Browse) -> None:
    alice.send("/posts", text="for followers", audience="followers")
    page = browse(alice)
    page.goto("/")
    expect(button(page)).to_have_count(0)
    page.get_by_role("article").locator(".post-head summary").click()
    page.get_by_role("article").locator(".post-head .menu-items").get_by_role("button", name="Repost").click()
    expect_reposted(page)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_whole_quoted_box_leads_to_the_post(alice: Member, bob: Member, browse: Browse, scripts: bool) -> None:
    post = alice.write("the original, about #tea")
    bob.send("/posts", text="look", quote_of=post)
    page = browse(bob, scripts=scripts)
    page.goto("/@bob")
    box = page.locator(".quoted")
    box.get_by_role("link", name="#tea").click()  # what has its own address keeps it
    expect(page.get_by_role("heading", name="#tea", level=1)).to_be_visible()
    page.go_back()
    place = box.bounding_box()
    assert place
    page.mouse.click(place["x"] + place["width"] - 6, place["y"] + place["height"] - 6)
    page.wait_for_url(f"**/@alice/{post}")
    page.go_back()
    box.get_by_role("link", name="The quoted post").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/@alice/{post}")


def test_x_opens_a_warning_and_closes_it(alice: Member, bob: Member, browse: Browse) -> None:
    alice.send("/posts", text="the butler did it", warning="the end")
    page = browse(bob)
    page.goto("/")
    text = page.get_by_text("the butler did it")
    expect(text).to_be_hidden()
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(text).to_be_visible()
    expect(page.get_by_role("article")).to_be_focused()
    page.keyboard.press("x")
    expect(text).to_be_hidden()


def test_a_warning_opens_without_javascript(alice: Member, bob: Member, browse: Browse) -> None:
    alice.send("/posts", text="the butler did it", warning="the end")
    page = browse(bob, scripts=False)
    page.goto("/")
    expect(page.get_by_text("the butler did it")).to_be_hidden()
    page.get_by_text("the end").click()
    expect(page.get_by_text("the butler did it")).to_be_visible()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_long_names_leave_the_end_of_the_sentence(
    app: Flask, join: Callable[..., Member], bob: Member, browse: Browse, width: int
) -> None:
    post = join("wes").write("worth it")
    for number in range(4):
        friend = join(f"friend{number}", name="Wolfeschlegelsteinhausenbergerdorff")
        bob.follow(friend)
        friend.send(f"/posts/{post}/repost")
    drain(app)
    page = browse(bob, width=width)
    page.goto("/")
    line = page.locator(".reposters")
    assert line.evaluate("line => line.scrollWidth <= line.clientWidth + 1")
    assert top_of(line) < top_of(page.locator(".post-head")) - 15
    expect(line).to_contain_text("and 2 others", use_inner_text=True)
