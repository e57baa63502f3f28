"""A feed is a feed to a screen reader: named, made of named articles, and it says when it is loading."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/", "Home feed"),
        ("/explore", "Latest posts"),
        ("/@alice", "Posts by Alice"),
        ("/tags/tea", "Posts tagged tea"),
    ],
)
def test_feed_and_its_articles_have_names(path: str, label: str, alice: Member, browse: Browse) -> None:
    alice.write("Time for #tea")
    page = browse(alice)
    page.goto(path)
    article = page.get_by_role("feed", name=label, exact=True).get_by_role("article")
    expect(article).to_have_accessible_name("Alice @alice")
    expect(article).to_have_accessible_description("Time for #tea")


def test_feed_is_busy_while_it_loads(alice: Member, browse: Browse) -> None:
    for number in range(21):
        alice.write(f"number {number}")
    page = browse(alice)
    page.goto("/")
    feed = page.get_by_role("feed")
    expect(feed).to_have_attribute("aria-busy", "false")
    with requests_paused(page, "**/feed?*"):
        page.get_by_role("link", name="Older").scroll_into_view_if_needed()
        expect(feed).to_have_attribute("aria-busy", "true")
    expect(feed.get_by_role("article")).to_have_count(21)
    expect(feed).to_have_attribute("aria-busy", "false")


def test_what_happened_is_announced(alice: Member, carol: Member, browse: Browse) -> None:
    page = browse(carol)
    page.goto("/@alice")
    announcements = page.locator("#toasts[role=status]")
    expect(announcements).to_have_attribute("aria-live", "polite")
    page.get_by_role("button", name="Follow @alice").click()
    expect(announcements).to_have_text("You’re now following @alice.")
