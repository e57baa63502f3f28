"""What people press shows at once, and goes back with a sentence if it fails."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused


def like(page: Page) -> Locator:
    return page.get_by_role("article").locator(".action-like")


def test_a_like_shows_before_the_server_has_answered(alice: Member, bob: Member, carol: Member, browse: Browse) -> None:
    post = alice.write("hello")
    carol.send(f"/posts/{post}/like")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/like"):
        like(page).click()
        expect(like(page)).to_have_attribute("aria-pressed", "true")
        expect(like(page)).to_have_text("2")
    expect(page.get_by_role("button", name="Like, 2 so far")).to_be_focused()
    with requests_paused(page, "**/like/delete"):
        like(page).click()
        expect(like(page)).to_have_attribute("aria-pressed", "false")
        expect(like(page)).to_have_text("1")
    expect(page.get_by_role("button", name="Like, 1 so far")).to_have_attribute("aria-pressed", "false")


def test_a_repost_and_a_follow_show_at_once(alice: Member, carol: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(carol)
    page.goto("/@alice")
    card = page.get_by_role("article")
    with requests_paused(page, "**/repost"):
        card.locator(".action-repost").click()
        card.get_by_role("button", name="Repost", exact=True).click()
        expect(card.locator(".action-repost.is-on")).to_have_text("1")
        expect(card.locator(".menu-items").last).to_be_hidden()
    expect(page.locator("#toasts")).to_contain_text("Reposted.")
    with requests_paused(page, "**/follow"):
        page.get_by_role("button", name="Follow @alice").click()
        expect(page.locator("[id^=follow-]")).to_have_text("Following")
    expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()


@pytest.mark.parametrize("status", [500, 429, 0])
def test_what_fails_goes_back_and_says_why(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, status: int
) -> None:
    if status:
        complaints.expect(f"{status} /posts/", f"{status} /@alice/follow/delete")
    else:
        complaints.expect("net::ERR_INTERNET_DISCONNECTED", "console: htmx:")
    alice.write("hello")
    page = browse(bob)
    page.goto("/@alice")
    page.wait_for_load_state("networkidle")

    def refuse(route: Route) -> None:
        if route.request.method != "POST":
            return route.continue_()
        return route.fulfill(status=status, content_type="text/plain", body="Not now.")

    if status:
        page.route("**/*", refuse)
    else:
        page.context.set_offline(True)
    sentence = "Not now." if status else "No connection."
    like(page).click()
    expect(page.locator("#toasts")).to_contain_text(sentence)
    expect(like(page)).to_have_attribute("aria-pressed", "false")
    expect(like(page)).to_have_text("")
    card = page.get_by_role("article")
    card.locator(".action-repost").click()
    card.get_by_role("button", name="Repost", exact=True).click()
    expect(card.locator(".action-repost")).not_to_have_class("action action-repost is-on")
    card.get_by_role("button", name="Bookmark").click()
    expect(card.get_by_role("button", name="Bookmark")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Following @alice").click()
    expect(page.locator("[id^=follow-]")).to_have_text("Following")
    assert alice.get("/").text.count("1 so far") == 0
