"""A like and a bookmark in the browser: without a reload, from the keyboard, and as a plain form."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.clock import settle
from tests.system.conftest import Browse


def button(page: Page, name: str, number: int = 0) -> Locator:
    return page.get_by_role("article").nth(number).get_by_role("button", name=name)


def expect_pressed(page: Page, name: str, is_on: bool = True) -> None:
    expect(page.locator(".htmx-request")).to_have_count(0)  # it shows before the server has answered
    expect(button(page, name)).to_have_attribute("aria-pressed", "true" if is_on else "false")


def test_a_click_likes_and_another_takes_it_back(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    page.get_by_label("Write a post").fill("half a sentence")
    button(page, "Like").click()
    expect_pressed(page, "Like")
    expect(button(page, "Like, 1 so far")).to_be_focused()
    button(page, "Like").click()
    expect_pressed(page, "Like", is_on=False)
    expect(page.get_by_label("Write a post")).to_have_value("half a sentence")  # the page is still the same one


def test_two_clicks_at_once_leave_it_as_the_page_says(alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("hello")
    page = browse(bob)
    page.goto("/")
    button(page, "Like").dblclick()
    settle(page)
    expect(page.locator(".htmx-request")).to_have_count(0)
    shown = button(page, "Like").get_attribute("aria-pressed")
    page.reload()
    expect(button(page, "Like")).to_have_attribute("aria-pressed", shown or "")
    assert bob.get(f"/@alice/{post}").status_code == 200


def test_l_and_b_act_on_the_post_that_the_keyboard_is_at(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    page.keyboard.press("j")
    page.keyboard.press("l")
    expect_pressed(page, "Like")
    page.keyboard.press("b")
    expect_pressed(page, "Bookmark")
    expect(button(page, "Like", 1)).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("l")
    expect_pressed(page, "Like", is_on=False)


def test_without_javascript_the_same_buttons_work(alice: Member, bob: Member, browse: Browse) -> None:
    post = alice.write("hello")
    page = browse(bob, scripts=False)
    page.goto("/explore")
    button(page, "Like").click()
    expect_pressed(page, "Like")
    assert page.url.endswith(f"/explore#post-{post}")
    button(page, "Bookmark").click()
    expect_pressed(page, "Bookmark")
    page.goto("/bookmarks")
    expect(page.get_by_role("article")).to_have_count(1)
    button(page, "Bookmark").click()
    expect(page.get_by_text("No bookmarks yet")).to_be_visible()


def test_on_a_phone_what_is_bookmarked_is_behind_more(alice: Member, browse: Browse) -> None:
    post = alice.write("hello")
    alice.send(f"/posts/{post}/like")
    page = browse(alice, width=390)
    page.goto("/@alice")
    page.locator(".more > summary").click()
    page.get_by_role("link", name="Bookmarks").click()
    expect(page.get_by_role("heading", name="Bookmarks", level=1)).to_be_visible()
