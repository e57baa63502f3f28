"""Where I left off: one line in the feed where it is, and a number at the Home link and in the title elsewhere."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from app.extensions import db
from app.feed.home.marks import mark_of
from app.feed.models import FeedMark
from tests.people import Member
from tests.system.clock import stop_the_clock
from tests.system.conftest import Browse
from tests.system.reading import (
    left_off,
    older,
    open_home,
    pill,
    posts,
    read_page,
    shown,
    unread,
    wait_for_question,
    wait_until_seen,
)
from tests.system.test_scrolling import write_many

LEFT_HERE = "You left off here"
CAUGHT_UP = "You’re all caught up"

BOTTOM = "(innerHeight - (innerWidth < 700 ? document.querySelector('.tabs').offsetHeight : 0))"
HALF_VISIBLE = f"""() => [...document.querySelectorAll('[data-entry]')].filter((post) => {{
  const {{ top, bottom, height }} = post.getBoundingClientRect();
  return Math.min(bottom, {BOTTOM}) - Math.max(top, 60) >= height / 2;
}}).map((post) => post.dataset.entry)"""
ABOVE_THE_SCREEN = """() => [...document.querySelectorAll('[data-entry]')]
  .filter((post) => post.getBoundingClientRect().bottom <= 60).map((post) => post.dataset.entry)"""
SCROLL_TO_THE_END_OF = f"""(post) => scrollBy({{
  top: document.querySelector(post).getBoundingClientRect().bottom - {BOTTOM}, behavior: 'instant',
}})"""
A_FRAME = """() => new Promise((done) => {  // a real one, though the clock stands still
  new IntersectionObserver((_, observer) => { observer.disconnect(); done(); }).observe(document.body);
})"""


def post_below_the_line(page: Page) -> int:
    return int(posts(page).filter(has=left_off(page)).get_attribute("data-entry") or 0)


def test_line_is_where_the_reader_left_off(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    seen = write_many(app, alice, 3)
    page = browse(bob)
    page.goto("/")
    expect(posts(page)).to_have_count(3)
    expect(left_off(page)).to_have_count(0)  # whoever is here for the first time has not left off anywhere
    wait_until_seen(app, bob, seen)
    new = write_many(app, alice, 2)
    page.goto("/")
    expect(left_off(page)).to_have_text([LEFT_HERE])
    assert shown(page) == new + seen
    assert post_below_the_line(page) == seen[0]
    wait_until_seen(app, bob, new)
    page.goto("/")
    expect(left_off(page)).to_have_text([CAUGHT_UP])
    assert post_below_the_line(page) == new[0]


def test_F12_of_24_new_posts_on_a_phone_the_five_that_were_on_the_screen_are_seen(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    old = write_many(app, alice, 1)
    page = browse(bob, width=360)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/")
    page.locator(f"#post-{old[0]}").scroll_into_view_if_needed()
    wait_until_seen(app, bob, old)
    new = write_many(app, alice, 24)
    page.goto("/")
    expect(page.locator(".left-off-way")).to_contain_text("24 new since")
    first = [int(entry) for entry in page.evaluate(HALF_VISIBLE)]
    wait_until_seen(app, bob, first)
    assert first == new[: len(first)]
    for post_id in new[:5]:
        page.evaluate(SCROLL_TO_THE_END_OF, f"#post-{post_id}")
        wait_until_seen(app, bob, [post_id])
    wait_until_seen(app, bob, new[:5])
    page.goto("/explore")
    expect(unread(page)).to_have_text("19")
    page.goto("/")
    expect(page.locator(".left-off-way")).to_contain_text("19 new since")
    expect(page.get_by_text(CAUGHT_UP)).to_have_count(0)


def test_F12_two_devices_at_once_have_seen_together_what_each_of_them_showed(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    old = write_many(app, alice, 1)
    laptop = browse(bob)
    laptop.goto("/")
    wait_until_seen(app, bob, old)
    new = write_many(app, alice, 24)
    phone = browse(Member(app, bob.id, bob.handle), width=360)
    phone.set_viewport_size({"width": 360, "height": 640})
    phone.goto("/")
    laptop.goto("/")
    laptop.locator(f"#post-{new[15]}").evaluate("(post) => post.scrollIntoView({ block: 'center' })")
    seen = {int(entry) for page in (phone, laptop) for entry in page.evaluate(HALF_VISIBLE)}
    wait_until_seen(app, bob, seen)
    for post_id in new[:5]:
        phone.evaluate(SCROLL_TO_THE_END_OF, f"#post-{post_id}")
        wait_until_seen(app, bob, {post_id, *seen})  # nothing that the other has seen is lost again
    with app.app_context():
        row = db.session.get_one(FeedMark, bob.id)
        left = [each for each in new if each not in mark_of(row.seen_id, None, row.seen, ()).seen]
    assert 0 < len(left) < 19
    for page in (phone, laptop):
        page.goto("/explore")
        expect(unread(page)).to_have_text(str(len(left)))
        page.goto("/")
        expect(page.get_by_text(CAUGHT_UP)).to_have_count(0)


def test_F12_what_was_seen_when_the_tab_is_closed_is_not_lost(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    seen = write_many(app, alice, 2)
    page = browse(bob)
    page.goto("/")
    wait_until_seen(app, bob, seen)
    new = write_many(app, alice, 2)
    page.clock.install()
    page.goto("/")
    stop_the_clock(page)
    page.evaluate(A_FRAME)
    page.clock.run_for(1000)  # long enough to be seen, not to be reported
    page.close()
    wait_until_seen(app, bob, new)


def test_F12_a_post_that_was_scrolled_past_is_seen(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    written = write_many(app, alice, 20)
    page = browse(bob)
    page.clock.install()
    page.goto("/")
    stop_the_clock(page)  # nothing is on the screen for a second
    for post_id in written:
        page.evaluate(SCROLL_TO_THE_END_OF, f"#post-{post_id}")
        page.evaluate(A_FRAME)
    above = [int(entry) for entry in page.evaluate(ABOVE_THE_SCREEN)]
    assert len(above) > 5
    page.goto("/explore")
    wait_until_seen(app, bob, above)
    below = [entry for entry in written if entry not in above]
    with app.app_context():
        row = db.session.get_one(FeedMark, bob.id)
        assert not [entry for entry in below if entry in mark_of(row.seen_id, None, row.seen, ()).seen]


# The place may be in the middle of the second page, or be its first post.
@pytest.mark.parametrize("count", [25, 20])
@pytest.mark.parametrize("scripts", [True, False])
def test_line_is_found_further_down(
    count: int, scripts: bool, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    seen = write_many(app, alice, 5)
    bob.get("/"), bob.get("/")
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
    assert lines == {seen[0]: LEFT_HERE}


@pytest.mark.parametrize("writer", ["alice", "bob"])
def test_nobody_is_all_caught_up_below_new_posts(writer: str, alice: Member, bob: Member, browse: Browse) -> None:
    seen = alice.write("seen")
    bob.get("/")
    page = open_home(browse, bob)
    expect(left_off(page)).to_have_text([CAUGHT_UP])
    if writer == "alice":
        alice.write("new")
        wait_for_question(page)
        expect(left_off(page)).to_have_text([LEFT_HERE])  # as soon as it is known
        pill(page).click()
    else:
        page.get_by_label("Write a post").fill("new")
        page.get_by_role("button", name="Post", exact=True).click()
    expect(posts(page)).to_have_count(2)
    expect(left_off(page)).to_have_text([LEFT_HERE])
    assert post_below_the_line(page) == seen


def test_unread_number_is_in_the_title_and_at_the_home_link_until_it_is_followed(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    write_many(app, alice, 3)
    page = browse(bob)
    page.goto("/")
    expect(page).to_have_title("Home · Freshet")
    read_page(app, bob, page)
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
    read_page(app, bob, page)
    with page.expect_response("**/feed/new"):
        page.goto("/explore")
    expect(page).to_have_title("Explore · Freshet")
    expect(unread(page)).to_be_hidden()
