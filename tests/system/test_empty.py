"""What is said of an empty list is said as long as it is true; a list that loses what filled the screen goes on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_menu import open_menu, post, posts


def write(page: Page, words: str) -> None:
    """Write a post over the page."""
    page.locator("body").press("n")
    page.locator("#writing").get_by_role("textbox").first.fill(words)
    page.locator("#writing").get_by_role("button", name="Post").click()
    expect(page.locator("#writing")).to_be_hidden()


def test_a_muted_author_who_filled_the_screen_makes_room_for_the_next_page(
    alice: Member, bob: Member, browse: Browse
) -> None:
    bob.write("deep below")
    for number in range(25):
        alice.write(f"number {number}")
    page = browse(bob)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    expect(posts(page)).to_have_count(20)
    open_menu(page, "number 24").get_by_role("button", name="Mute @alice").click()
    expect(post(page, "deep below")).to_be_in_viewport()
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_a_home_that_loses_all_says_so_and_an_undo_takes_that_back(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello there")
    page = browse(bob)
    page.goto("/")
    open_menu(page, "hello there").get_by_role("button", name="Mute @alice").click()
    expect(page.get_by_role("heading", name="Quiet so far")).to_be_visible()
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(post(page, "hello there")).to_be_visible()
    expect(page.get_by_role("heading", name="Quiet so far")).to_be_hidden()


def test_a_home_whose_next_page_is_empty_too_says_so(alice: Member, bob: Member, browse: Browse) -> None:
    for number in range(25):
        alice.write(f"number {number}")
    page = browse(bob)
    page.goto("/")
    page.wait_for_load_state("networkidle")
    open_menu(page, "number 24").get_by_role("button", name="Mute @alice").click()
    expect(page.get_by_role("heading", name="Quiet so far")).to_be_visible()


def test_the_last_bookmark_leaves_the_words_about_none(alice: Member, bob: Member, browse: Browse) -> None:
    bob.send(f"/posts/{alice.write('hello there')}/bookmark")
    page = browse(bob)
    page.goto("/bookmarks")
    words = page.get_by_role("heading", name="No bookmarks yet")
    expect(words).to_be_hidden()
    post(page, "hello there").get_by_role("button", name="Bookmark").click()
    expect(words).to_be_visible()
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(post(page, "hello there")).to_be_visible()
    expect(words).to_be_hidden()


@pytest.mark.parametrize(("path", "words"), [("/@alice", "Nothing yet"), ("/tags/river", "Nobody has used #river yet")])
def test_what_is_written_on_an_empty_page_is_on_it_and_its_end_empties_it(
    alice: Member, browse: Browse, path: str, words: str
) -> None:
    page = browse(alice)
    page.goto(path)
    expect(page.get_by_role("heading", name=words)).to_be_visible()
    write(page, "by the #river")
    expect(posts(page)).to_contain_text(["by the #river"])
    expect(page.get_by_role("heading", name=words)).to_be_hidden()
    open_menu(page, "by the").get_by_text("Delete this post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name=words)).to_be_visible()


def test_a_post_about_somebody_is_not_put_on_their_profile(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(bob)
    page.goto("/@alice")
    write(page, "for @alice")
    expect(page.locator("#toasts")).to_contain_text("Posted")
    expect(page.get_by_role("heading", name="Nothing yet")).to_be_visible()


def test_who_follows_somebody_is_not_told_that_they_follow_nobody(alice: Member, carol: Member, browse: Browse) -> None:
    page = browse(carol)
    page.goto("/")
    nobody = page.get_by_text("You’re not following anyone yet.")
    expect(nobody).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Follow @alice", exact=True).click()
    expect(nobody).to_be_hidden()
    expect(page.get_by_text("That’s a start.")).to_be_visible()
    page.get_by_role("main").get_by_role("button", name="Following @alice: unfollow").click()
    expect(nobody).to_be_visible()
    expect(page.get_by_text("That’s a start.")).to_be_hidden()
    expect(page.locator(".htmx-request")).to_have_count(0)
