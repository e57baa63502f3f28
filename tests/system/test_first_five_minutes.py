"""From an empty site to two people who read each other, as somebody who has just started it would go."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.people import PASSWORD
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.web import WebSite


def make_account(page: Page, handle: str, button: str) -> None:
    page.get_by_label("Handle").fill(handle)
    page.get_by_label("Display name").fill(handle.title())
    page.get_by_label("Email").fill(f"{handle}@example.org")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name=button).click()


@pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_two_people_come_to_a_new_site_and_read_each_other(
    scripts: bool, fresh_site: WebSite, browse: Browse, complaints: Complaints
) -> None:
    # The first one is led to the page that makes the site, and then is at home.
    ada = browse(on=fresh_site, scripts=scripts)
    ada.goto("/")
    expect(ada).to_have_url(f"{fresh_site.url}/setup")
    make_account(ada, "ada", "Create the site")
    expect(ada).to_have_url(f"{fresh_site.url}/")
    expect(ada.get_by_text("You’re the first one here.")).to_be_visible()

    # Their first post is there at once.
    ada.get_by_label("Write a post").fill("Hello, whoever comes next!")
    ada.get_by_role("button", name="Post", exact=True).click()
    expect(ada.get_by_role("feed").get_by_role("article")).to_contain_text(["Hello, whoever comes next!"])
    expect(ada.get_by_text("You’re the first one here.")).to_have_count(0)

    # The page that makes the site is gone for good.
    complaints.expect("404 /setup")
    stranger = browse(on=fresh_site, scripts=scripts)
    stranger.goto("/setup")
    expect(stranger.get_by_role("heading", name="Nothing here")).to_be_visible()

    # A second one signs up, finds the first one under Explore and follows.
    ben = browse(on=fresh_site, scripts=scripts)
    ben.goto("/")
    expect(ben.get_by_text("Hello, whoever comes next!")).to_be_visible()
    ben.get_by_role("main").get_by_role("link", name="Sign up").click()
    make_account(ben, "ben", "Sign up")
    expect(ben.get_by_text("You’re not following anyone yet")).to_be_visible()
    ben.get_by_role("link", name="Explore").click()
    expect(ben.get_by_text("Hello, whoever comes next!")).to_be_visible()
    ben.get_by_role("link", name="People").click()
    ben.get_by_role("button", name="Follow @ada").click()
    expect(ben.get_by_role("button", name="Following @ada")).to_be_visible()
    expect(ben.locator(".htmx-request")).to_have_count(0)  # it shows before the server has answered
    ben.get_by_role("navigation", name="Main").get_by_role("link", name="Home").click()
    expect(ben.get_by_role("feed").get_by_role("article")).to_contain_text(["Hello, whoever comes next!"])

    # Out, and in again.
    ben.get_by_role("button", name="Log out").click()
    expect(ben.get_by_text("You’ve logged out.")).to_be_visible()
    ben.get_by_role("main").get_by_role("link", name="Log in").click()
    ben.get_by_label("Handle or email").fill("ben@example.org")
    ben.get_by_label("Password").fill(PASSWORD)
    ben.get_by_role("button", name="Log in").click()
    expect(ben).to_have_url(f"{fresh_site.url}/")
    expect(ben.get_by_role("feed").get_by_role("article")).to_contain_text(["Hello, whoever comes next!"])
