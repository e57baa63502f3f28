"""Reading forward in time in the browser: from where one left off to the top, and what is read stays where it is."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Locator, expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.reading import older, pill, posts, shown, wait_until_seen
from tests.system.test_scrolling import write_many


def top_of(post: Locator) -> float:
    box = post.bounding_box()
    assert box is not None
    return box["y"]


def test_F12_from_where_one_left_off_up_to_the_top(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    seen = write_many(app, alice, 1)
    page = browse(bob)
    page.goto("/")
    wait_until_seen(app, bob, seen)
    new = write_many(app, alice, 50)
    page.goto("/")
    page.get_by_role("link", name="Continue where you left off").click()
    line = page.locator(".left-off")
    expect(line).to_have_text("You left off here")
    expect(line).to_be_in_viewport()
    expect(page.locator(f"#post-{new[-1]}")).to_be_in_viewport()
    expect(posts(page)).to_have_count(21)
    for count in (41, 51):
        posts(page).first.scroll_into_view_if_needed()  # which is enough
        expect(posts(page)).to_have_count(count)
    assert shown(page) == new + seen
    expect(page.locator("a[rel=prev]")).to_have_count(0)
    expect(page.locator("#pill")).to_have_count(1)  # it has joined the top
    alice.write("newest")
    page.evaluate("() => htmx.trigger('#pill', 'check')")
    expect(pill(page)).to_have_text("1 new post")


@pytest.mark.parametrize("browser_helps", [True, False])
def test_what_comes_above_moves_nothing_on_a_slow_network(
    browser_helps: bool, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 70)
    page = browse(bob)
    page.goto(f"/feed?near={written[40]}")
    if not browser_helps:
        page.evaluate("() => { document.documentElement.style.overflowAnchor = 'none' }")
    looked_at = page.locator(f"#post-{written[30]}")
    looked_at.evaluate("(post) => post.scrollIntoView({ block: 'center' })")
    with requests_paused(page, "**/feed?above=*"):
        page.locator("a[rel=prev]").dispatch_event("click")
        before = top_of(looked_at)
        expect(page.locator("a[rel=prev]")).to_have_class("button pager-link htmx-request")
    expect(posts(page)).to_have_count(60)
    expect(looked_at).to_be_in_viewport(ratio=1)
    assert abs(top_of(looked_at) - before) < 1


def test_without_javascript_newer_leads_page_by_page_to_the_top(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 50)
    page = browse(bob, scripts=False)
    page.goto("/")
    for _ in range(2):
        with page.expect_navigation():
            older(page).click()
    read = shown(page)
    while page.locator("a[rel=prev]").count():
        with page.expect_navigation():
            page.locator("a[rel=prev]").click()
        read = shown(page) + read
    assert read == written
