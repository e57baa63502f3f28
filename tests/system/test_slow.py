"""Reading on a slow network and on none: nothing is lost or comes twice, nobody is moved, and it says what it does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, Request, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.reading import left_off, older, pill, posts, shown, wait_until_seen
from tests.system.slow import slowly
from tests.system.test_scrolling import write_many
from tests.system.test_writing import dialog, field, reply
from tests.system.web import WebSite

NO_CONNECTION = "No connection. Nothing was lost; try again in a moment."
TO_THE_END = "() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })"
TOP_OF = "(post) => post.getBoundingClientRect().top"


@pytest.fixture
def slow(site: WebSite) -> Iterator[WebSite]:
    """The site at the end of a road on which every request takes a second and a half."""
    with slowly(site) as far:
        yield far


def asking(page: Page, words: str) -> list[Request]:
    """Return a list that grows with every request whose address has these words."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if words in request.url else None)
    return asked


def test_a_page_that_is_opened_needs_one_answer(
    slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 20)
    page = browse(bob, on=slow, width=390)
    asked = asking(page, slow.url)
    page.goto("/", wait_until="domcontentloaded")
    assert shown(page) == written
    dynamic = [request.url for request in asked if "/static/" not in request.url]
    assert dynamic[0] == f"{slow.url}/"
    assert not [url for url in dynamic[1:] if not url.endswith(("/feed/seen", "/favicon.ico"))], "it has all it needs"


def test_scrolling_fast_to_the_end_waits_once_says_so_and_moves_nothing(
    slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 50)
    page = browse(bob, on=slow, width=390)
    page.goto("/")
    asked = asking(page, "/feed?")
    for count in (20, 40):
        last = page.locator(f"#post-{written[count - 1]}")
        page.evaluate(TO_THE_END)
        expect(page.get_by_role("feed")).to_have_attribute("aria-busy", "true")
        expect(older(page)).to_be_in_viewport()
        before = last.evaluate(TOP_OF)
        for _ in range(3):
            page.evaluate(TO_THE_END)
        expect(posts(page)).to_have_count(min(count + 20, 50))
        expect(page.get_by_role("feed")).to_have_attribute("aria-busy", "false")
        assert last.evaluate(TOP_OF) == before
    assert shown(page) == written and len(asked) == 2


def test_the_pill_brings_what_is_new_once_however_often_it_is_pressed(
    slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    old = write_many(app, alice, 20)
    page = browse(bob, on=slow, width=390)
    page.goto("/")
    page.locator(f"#post-{old[10]}").scroll_into_view_if_needed()
    new = write_many(app, alice, 3)
    page.evaluate("() => htmx.trigger('#pill', 'check')")
    expect(pill(page)).to_have_text("3 new posts")
    pill(page).click()
    expect(pill(page)).to_have_class("pill htmx-request")
    pill(page).click()
    pill(page).click()
    expect(page.get_by_role("button", name="Back to where you were")).to_be_visible()
    assert shown(page) == new + old
    expect(page.locator(f"#post-{new[-1]}")).to_be_in_viewport()


def test_the_way_to_where_one_left_off_and_up_from_there(
    slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    seen = write_many(app, alice, 3)
    page = browse(bob, on=slow)
    page.goto("/")
    wait_until_seen(app, bob, seen)
    new = write_many(app, alice, 45)
    page.goto("/")
    page.get_by_role("link", name="Continue where you left off").click()
    expect(left_off(page)).to_be_in_viewport()
    while page.locator("a[rel=prev]").count():
        count, first = posts(page).count(), posts(page).first.element_handle()
        first.scroll_into_view_if_needed()
        page.evaluate("() => scrollBy({ top: -1, behavior: 'instant' })")
        before = first.evaluate(TOP_OF)
        expect(posts(page)).not_to_have_count(count)
        assert abs(first.evaluate(TOP_OF) - before) < 1
    assert shown(page) == new + seen


def test_what_was_seen_is_told_though_the_tab_is_closed(
    slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse, tabbed: Browser
) -> None:
    seen = write_many(app, alice, 2)
    page = browse(bob, on=slow, browser=tabbed)
    page.goto("/")
    wait_until_seen(app, bob, seen)
    new = write_many(app, alice, 2)
    page.goto("/")
    expect(posts(page)).to_have_count(4)
    page.context.new_page()  # a browser whose last tab is closed ends with it
    with page.expect_request("**/feed/seen"):  # it is on its way
        pass
    page.close()
    wait_until_seen(app, bob, new)


def test_back_waits_for_one_answer(slow: WebSite, app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    written = write_many(app, alice, 60)
    page = browse(bob, on=slow)
    page.goto("/")
    while not page.locator(f"#post-{written[35]}").count():
        count = posts(page).count()
        older(page).scroll_into_view_if_needed()
        expect(posts(page)).not_to_have_count(count)
    post = page.locator(f"#post-{written[35]}")
    post.evaluate("(post) => post.scrollIntoView({ block: 'center', behavior: 'instant' })")
    before = post.evaluate(TOP_OF)
    post.locator(".post-time").click()
    expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
    asked = asking(page, "/feed")
    page.go_back(wait_until="domcontentloaded")
    page.wait_for_function(
        "([id, top]) => Math.abs(document.getElementById(id).getBoundingClientRect().top - top) < 2",
        arg=[f"post-{written[35]}", before],
    )
    assert len([request for request in asked if request.is_navigation_request()]) == 1


def test_liking_and_answering_wait_for_nothing(slow: WebSite, alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob, on=slow, width=390)
    page.goto("/")
    like = page.get_by_role("button", name="Like")
    assert like.evaluate("(button) => { button.click(); return button.ariaPressed; }") == "true"
    reply(page, "hello").click()
    page.keyboard.type("well said")  # before there is a form for it
    expect(field(page)).to_have_value("well said")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(page.locator("#toasts")).to_contain_text("Reply sent · View")
    page.reload()
    expect(page.get_by_role("button", name="Like, 1 so far")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link", name="Reply, 1 so far")).to_be_visible()


# ---- Offline


@pytest.mark.parametrize("goes_on", ["by itself", "by a click"])
def test_offline_reading_on_says_so_keeps_the_place_and_goes_on_when_it_can(
    goes_on: str, app: Flask, alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    written = write_many(app, alice, 45)
    page = browse(bob, width=390)
    page.goto("/")
    expect(posts(page)).to_have_count(20)
    if goes_on == "by itself":
        page.context.set_offline(True)
    else:  # as where a browser does not know
        page.route("**/feed?*", lambda route: route.abort("internetdisconnected"), times=1)
    page.evaluate(TO_THE_END)
    expect(page.locator("#toasts")).to_have_text(NO_CONNECTION)
    expect(older(page)).to_have_text("Try again")
    expect(page.get_by_role("feed")).to_have_attribute("aria-busy", "false")
    last = page.locator(f"#post-{written[19]}")
    before = last.evaluate(TOP_OF)
    if goes_on == "by itself":
        page.context.set_offline(False)
    else:
        older(page).click()
    expect(posts(page)).to_have_count(40)
    assert abs(last.evaluate(TOP_OF) - before) < 1
    page.evaluate(TO_THE_END)
    expect(posts(page)).to_have_count(45)
    assert shown(page) == written


def test_offline_the_pill_and_the_way_up_say_so_and_can_be_tried_again(
    app: Flask, alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    written = write_many(app, alice, 45)
    page = browse(bob)
    page.goto(f"/feed?near={written[40]}")
    page.context.set_offline(True)
    page.evaluate("() => scrollTo({ top: 900, behavior: 'instant' })")
    page.locator("a[rel=prev]").click()
    expect(page.locator("#toasts")).to_have_text(NO_CONNECTION)
    expect(page.locator("a[rel=prev]")).to_have_text("Try again")
    page.context.set_offline(False)
    expect(posts(page)).to_have_count(45)
    assert shown(page) == written
    page.goto("/")
    new = alice.write("new")
    page.evaluate("() => htmx.trigger('#pill', 'check')")
    expect(pill(page)).to_have_text("1 new post")
    page.context.set_offline(True)
    pill(page).click()
    expect(page.locator("#toasts")).to_have_text(NO_CONNECTION)
    expect(pill(page)).to_have_text("1 new post")
    page.context.set_offline(False)
    pill(page).click()
    expect(page.locator(f"#post-{new}")).to_be_visible()


def test_what_was_seen_offline_is_told_later(
    app: Flask, alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_INTERNET_DISCONNECTED")
    old = write_many(app, alice, 1)
    page = browse(bob)
    page.goto("/")
    wait_until_seen(app, bob, old)
    new = write_many(app, alice, 3)
    page.goto("/")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/feed/seen")):
        page.context.set_offline(True)
    page.context.set_offline(False)
    wait_until_seen(app, bob, new)
