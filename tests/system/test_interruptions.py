"""When something goes wrong under an open page, it says so in a sentence and loses nothing."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask
from playwright.sync_api import FilePayload, Page, Route, expect

from app.runtime.port import is_healthy
from app.runtime.process import wait_until
from app.runtime.servers import EphemeralServers
from tests.people import PASSWORD, Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.scene import set_scene
from tests.system.web import ADDRESS, WebSite, web_site

LOGGED_OUT = "You’ve been logged out. Log in again in another tab; what you typed is still here."
NO_CONNECTION = "No connection. Nothing was lost; try again in a moment."


def write(page: Page, text: str) -> None:
    page.get_by_label("Write a post").fill(text)
    page.get_by_role("button", name="Post", exact=True).click()


def test_session_ended_elsewhere_keeps_what_was_typed(
    app: Flask, alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("401 /posts")
    here, elsewhere = browse(alice), browse(Member(app, alice.id, alice.handle))
    here.goto("/")
    elsewhere.goto("/settings/sessions")
    elsewhere.get_by_role("button", name="Log out everywhere else").click()
    expect(elsewhere.get_by_text("All other devices have been logged out.")).to_be_visible()

    write(here, "a long thought")
    expect(here.locator("#toasts")).to_have_text(LOGGED_OUT)
    expect(here.get_by_label("Write a post")).to_have_value("a long thought")

    # As the sentence says: log in again in another tab, then send it.
    tab = here.context.new_page()
    tab.goto("/login")
    tab.get_by_label("Handle or email").fill("alice")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Log in").click()
    expect(tab.get_by_role("heading", name="Home")).to_be_visible()
    here.get_by_role("button", name="Post", exact=True).click()
    expect(here.get_by_role("feed").get_by_role("article")).to_contain_text(["a long thought"])


def test_server_gone_keeps_what_was_typed_until_it_is_back(
    fresh_site: WebSite, alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("net::ERR_CONNECTION_REFUSED", "console: htmx:")
    page = browse(alice, on=fresh_site)
    page.goto("/")
    page.wait_for_load_state("networkidle")  # its icon, too, which comes last
    fresh_site.process.kill()
    write(page, "a long thought")
    expect(page.locator("#toasts")).to_have_text(NO_CONNECTION)
    expect(page.get_by_label("Write a post")).to_have_value("a long thought")
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()

    fresh_site.process.launch()
    assert wait_until(lambda: is_healthy(ADDRESS, fresh_site.port), process=fresh_site.process, seconds=60)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("feed").get_by_role("article")).to_contain_text(["a long thought"])


def test_failure_while_reading_on_leaves_the_link_and_the_feed_usable(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /feed")
    for number in range(21):
        alice.write(f"number {number}")
    page = browse(alice)

    def refuse(route: Route) -> None:
        route.fulfill(status=503, content_type="text/plain", body="The database isn’t responding right now.")

    page.route("**/feed?*", refuse, times=1)
    page.goto("/")
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.locator("#toasts")).to_have_text("The database isn’t responding right now.")
    expect(page.get_by_role("feed")).to_have_attribute("aria-busy", "false")
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("feed").get_by_role("article")).to_have_count(21)


def test_picture_that_is_too_large_is_refused_in_words(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("413 /settings/profile")
    page = browse(alice)
    page.goto("/settings/profile")
    page.get_by_label("Picture").set_input_files(
        FilePayload(name="large.png", mimeType="image/png", buffer=bytes(9 * 1024 * 1024))
    )
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Too large")).to_be_visible()


def test_F10_everything_works_while_valkey_is_away(
    servers: EphemeralServers, join: Callable[..., Member], browse: Browse
) -> None:
    scene = set_scene(join, diary=20)
    with web_site(env={"FRESHET_RATE_LIMITS": "on"}) as site:
        page = browse(scene.carol, on=site)
        page.goto("/")
        servers.valkey.kill()
        try:
            for path in (
                *("/", "/explore", "/explore/people", "/@alice", f"/@alice/{scene.post}", "/@alice/followers"),
                *("/tags/bees", "/compose", "/settings/profile", "/settings/sessions", "/settings/mutes"),
            ):
                answer = page.goto(path)
                assert answer is not None and answer.status == 200, path
            page.goto("/@alice")
            page.get_by_role("button", name="Follow @alice").click()
            expect(page.get_by_role("button", name="Following @alice: unfollow")).to_be_visible()
            page.goto("/")
            page.get_by_label("Write a post").fill("still here")
            page.get_by_role("button", name="Post", exact=True).click()
            expect(page.get_by_role("feed").get_by_role("article").first).to_contain_text("still here")
            page.get_by_role("link", name="Older").scroll_into_view_if_needed()
            expect(page.get_by_text("You’ve reached the very beginning of your feed.")).to_be_visible()
        finally:
            servers.valkey.start()
