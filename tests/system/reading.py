"""What readers do besides scrolling: wait, look away, come back later."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from flask import Flask
from playwright.sync_api import Locator, Page, Request, Response, expect

from app.extensions import db
from app.feed.home.marks import mark_of
from app.feed.models import FeedMark
from tests.people import Member
from tests.system.conftest import Browse

BETWEEN_QUESTIONS = 15_000  # milliseconds
HIDE = "Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'})"
SHOW = "delete document.visibilityState"
TELL = "document.dispatchEvent(new Event('visibilitychange'))"


def open_home(browse: Browse, who: Member, **options: Any) -> Page:
    """Open somebody's home feed in a browser whose clock the test can move."""
    page = browse(who, **options)
    page.clock.install()
    page.goto("/")
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    return page


def wait_for_question(page: Page) -> Response:
    """Let the time pass after which the page asks what is new, and return what it is told."""
    with page.expect_response("**/feed/new?*") as told:
        page.clock.fast_forward(BETWEEN_QUESTIONS)
    told.value.finished()
    return told.value


def questions(page: Page) -> list[Request]:
    """Return a list that grows with every question what is new."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/feed/new" in request.url else None)
    return asked


def look_away(page: Page) -> None:
    page.evaluate(f"() => {{ {HIDE}; {TELL}; }}")


def look_back(page: Page) -> None:
    page.evaluate(f"() => {{ {SHOW}; {TELL}; }}")


def posts(page: Page) -> Locator:
    return page.locator("#list [data-entry]")


def shown(page: Page) -> list[int]:
    """Return the ids of the posts on the page, in order."""
    ids: list[str] = posts(page).evaluate_all("(posts) => posts.map((post) => post.dataset.entry)")
    return [int(post_id) for post_id in ids]


def older(page: Page) -> Locator:
    return page.locator("a[rel=next]")


def pill(page: Page) -> Locator:
    return page.get_by_role("main").get_by_role("status").get_by_role("link")


def unread(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Main").get_by_role("link", name="Home").locator(".badge")


def left_off(page: Page) -> Locator:
    return page.locator(".left-off")


def wait_until_seen(app: Flask, who: Member, ids: Iterable[int]) -> None:
    """Wait until a page has reported that these were on the screen."""
    for _ in range(600):
        with app.app_context():
            row = db.session.get(FeedMark, who.id)
            if row and all(entry_id in mark_of(row.seen_id, None, row.seen, ()).seen for entry_id in ids):
                return
        time.sleep(0.05)
    raise AssertionError("they were not seen")


def read_page(app: Flask, who: Member, page: Page) -> None:
    """Read all that a page shows, from its top to its end."""
    for post in posts(page).all():
        post.scroll_into_view_if_needed()
        wait_until_seen(app, who, [int(post.get_attribute("data-entry") or 0)])
