"""Where I left off: one line in the feed where it is, and a number at the Home link and in the title elsewhere."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.reading import (
    left_off,
    let_a_minute_pass,
    older,
    open_home,
    pill,
    posts,
    shown,
    unread,
    wait_for_question,
)
from tests.system.test_scrolling import write_many

SEEN = "You’ve seen everything below"
CAUGHT_UP = "You’re all caught up"


def post_below_the_line(page: Page) -> int:
    return int(posts(page).filter(has=left_off(page)).get_attribute("data-entry") or 0)


def test_line_is_where_the_reader_left_off(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    seen = write_many(app, alice, 3)
    page = browse(bob)
    page.goto("/")
    expect(posts(page)).to_have_count(3)
    expect(left_off(page)).to_have_count(0)  # whoever is here for the first time has not left off anywhere
    new = write_many(app, alice, 2)
    let_a_minute_pass(app)
    page.goto("/")
    expect(left_off(page)).to_have_text([SEEN])
    assert shown(page) == new + seen
    assert post_below_the_line(page) == seen[0]
    page.goto("/")
    expect(left_off(page)).to_have_text([CAUGHT_UP])
    assert post_below_the_line(page) == new[0]


# The place may be in the middle of the second page, or be its first post.
@pytest.mark.parametrize("count", [25, 20])
@pytest.mark.parametrize("scripts", [True, False])
def test_line_is_found_further_down(
    count: int, scripts: bool, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    seen = write_many(app, alice, 5)
    bob.get("/")
    new = write_many(app, alice, count)
    page = browse(bob, scripts=scripts)
    page.goto("/")
    lines: dict[int, str] = {}

    def read_lines() -> None:
        for line in left_off(page).all():
            lines[post_below_the_line(page)] = line.inner_text()
        assert left_off(page).count() <= 1

    read_lines()
    read = shown(page)
    while older(page).count():
        if scripts:
            before = posts(page).count()
            older(page).scroll_into_view_if_needed()
            expect(posts(page)).not_to_have_count(before)
            read = shown(page)
        else:
            with page.expect_navigation():
                older(page).click()
            read += shown(page)
        read_lines()
    assert read == new + seen
    assert lines == {seen[0]: SEEN}


@pytest.mark.parametrize("writer", ["alice", "bob"])
def test_nobody_is_all_caught_up_below_new_posts(writer: str, alice: Member, bob: Member, browse: Browse) -> None:
    seen = alice.write("seen")
    bob.get("/")
    page = open_home(browse, bob)
    expect(left_off(page)).to_have_text([CAUGHT_UP])
    if writer == "alice":
        alice.write("new")
        wait_for_question(page)
        pill(page).click()
    else:
        page.get_by_label("Write a post").fill("new")
        page.get_by_role("button", name="Post", exact=True).click()
    expect(posts(page)).to_have_count(2)
    expect(left_off(page)).to_have_text([SEEN])
    assert post_below_the_line(page) == seen


def test_unread_number_is_in_the_title_and_at_the_home_link_until_it_is_followed(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    write_many(app, alice, 3)
    page = browse(bob)
    page.goto("/")
    expect(page).to_have_title("Home · Freshet")
    page.goto("/explore")
    expect(page).to_have_title("Explore · Freshet")
    expect(unread(page)).to_be_hidden()
    write_many(app, alice, 2)
    page.goto("/explore")
    expect(page).to_have_title("(2) Explore · Freshet")
    expect(unread(page)).to_have_text("2")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Home").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(page).to_have_title("Home · Freshet")
    expect(unread(page)).to_be_hidden()
    with page.expect_response("**/feed/new"):
        page.goto("/explore")
    expect(page).to_have_title("Explore · Freshet")
    expect(unread(page)).to_be_hidden()
