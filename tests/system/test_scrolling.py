"""Reading on: every post once, in order, whatever arrives meanwhile; by scrolling, or by plain links."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Locator, Page, Request, expect

from app.accounts.models import User
from app.extensions import db
from app.posts.writing.operations import publish_post
from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse

PAGES = (20, 40, 60, 80, 90)
# More is loaded when the end comes into sight: a reader who is there already, and sees nothing happen, moves.
TO_THE_END = """(count) => {
  scrollTo(0, document.body.scrollHeight - (performance.now() % 2 < 1 ? 0 : 60));
  return document.querySelectorAll("#list [data-entry]").length > count || document.querySelector(".pager-end");
}"""


def write_many(app: Flask, author: Member, count: int, *, tag: str = "") -> list[int]:
    """Let somebody have written a lot, and return the ids, the newest first."""
    with app.app_context():
        user = db.session.get_one(User, author.id)
        written = [publish_post(f"number {number} {tag}".strip(), by=user, longest=500) for number in range(count)]
        db.session.commit()
    return written[::-1]


def posts(page: Page) -> Locator:
    return page.get_by_role("feed").get_by_role("article")


def shown(page: Page) -> list[int]:
    ids: list[str] = posts(page).evaluate_all("(posts) => posts.map((post) => post.dataset.entry)")
    return [int(post_id) for post_id in ids]


def older(page: Page) -> Locator:
    return page.get_by_role("link", name="Older")


def test_F2_F4_scrolling_shows_every_post_once_while_new_ones_arrive(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 90)
    page = browse(bob)
    fetched: list[Request] = []
    page.on("request", lambda request: fetched.append(request) if "/feed?" in request.url else None)
    page.goto("/")
    for count in PAGES[:-1]:
        expect(posts(page)).to_have_count(count)
        if count == 40:
            write_many(app, alice, 3)
        older(page).scroll_into_view_if_needed()
    expect(posts(page)).to_have_count(90)
    expect(page.get_by_text("You’ve reached the very beginning of your feed.")).to_be_visible()
    expect(older(page)).to_have_count(0)
    assert shown(page) == written
    assert len(fetched) == len(PAGES) - 1


def test_clicking_older_also_stays_on_the_page(app: Flask, alice: Member, browse: Browse) -> None:
    write_many(app, alice, 21)
    page = browse(alice)
    page.goto("/explore")
    older(page).dispatch_event("click")  # as a keyboard or a screen reader does, without scrolling there
    expect(posts(page)).to_have_count(21)
    assert page.url.endswith("/explore")


def test_lists_of_people_scroll_on_as_well(
    app: Flask, alice: Member, browse: Browse, join: Callable[..., Member]
) -> None:
    for number in range(24):
        join(f"member_{number}")
    page = browse(alice)
    page.goto("/explore/people")
    expect(page.locator(".person")).to_have_count(20)
    older(page).scroll_into_view_if_needed()
    expect(page.locator(".person")).to_have_count(25)
    expect(page.get_by_text("You’ve reached the end.")).to_be_visible()


def test_F2_F4_plain_links_show_every_post_once_while_new_ones_arrive(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 90)
    page = browse(bob, scripts=False)
    page.goto("/")
    read = shown(page)
    for number in range(1, len(PAGES)):
        if number == 2:
            write_many(app, alice, 3)
        with page.expect_navigation():
            older(page).click()
        expect(page.get_by_text("Showing posts from")).to_be_visible()
        read += shown(page)
    expect(page.get_by_text("You’ve reached the very beginning of your feed.")).to_be_visible()
    expect(older(page)).to_have_count(0)
    assert read == written
    with page.expect_navigation():
        page.get_by_role("link", name="Back to top").click()
    assert len(shown(page)) == 20 and shown(page)[3:] == written[:17]


def test_without_javascript_the_back_button_returns_to_the_same_page_of_the_list(
    app: Flask, alice: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 50)
    page = browse(alice, scripts=False)
    page.goto("/")
    older(page).click()
    page.locator(f"#post-{written[25]} .post-time").click()
    expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
    page.go_back()
    assert shown(page) == written[20:40]
    page.go_back()
    assert shown(page) == written[:20]


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_older_that_is_pressed_leaves_the_reader_where_they_are(
    by: str, app: Flask, alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /explore")
    written = write_many(app, alice, 45)
    page = browse(alice)
    page.route("**/explore?*", lambda route: route.fulfill(status=503), times=1)  # else it comes before it is pressed
    page.goto("/explore")
    again = page.get_by_role("link", name="Try again")
    older(page).scroll_into_view_if_needed()
    expect(again).to_be_in_viewport(ratio=1)
    last = page.locator(f"#post-{written[19]}")
    before = last.bounding_box()
    if by == "mouse":
        again.click()
    else:
        again.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        expect(again).to_be_focused()
        page.keyboard.press("Enter")
    expect(posts(page)).to_have_count(40)
    assert last.bounding_box() == before
    if by == "keyboard":
        expect(page.locator(f"#post-{written[20]}")).to_be_focused()
