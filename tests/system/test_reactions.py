"""Likes, bookmarks and reposts: however quickly one follows the other, and on every card of the post."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused


def card(page: Page, number: int = 0) -> Locator:
    return page.get_by_role("article").nth(number)


def pressed(page: Page, kind: str, number: int = 0, *, is_on: bool = True) -> None:
    expect(card(page, number).locator(f".action-{kind}")).to_have_attribute(
        "aria-pressed", "true" if is_on else "false"
    )


def answered(page: Page) -> None:
    """Wait until the server has said everything that it was asked."""
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_what_is_pressed_while_something_is_under_way_is_kept(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/like"):
        card(page).locator(".action-like").click()
        card(page).locator(".action-bookmark").click()
        card(page).locator(".action-repost").click()
        card(page).get_by_role("button", name="Repost", exact=True).click()
        pressed(page, "like")
        pressed(page, "bookmark")
    expect(page.locator("#toasts")).to_contain_text("Reposted.")
    answered(page)
    for _ in range(2):
        pressed(page, "like")
        pressed(page, "bookmark")
        expect(card(page).locator(".action-repost")).to_have_accessible_name("Reposted, 1 so far")
        expect(card(page).locator(".action-like")).to_have_text("1")
        page.reload()


def test_taking_a_like_back_from_a_post_that_is_gone_is_no_failure(alice: Member, bob: Member, browse: Browse) -> None:
    kept, gone = alice.write("kept"), alice.write("gone soon")
    bob.send(f"/posts/{gone}/like")
    page = browse(bob)
    page.goto("/")
    page.locator(f"#actions-{kept} .action-repost").click()
    page.locator(f"#actions-{kept}").get_by_role("button", name="Repost", exact=True).click()
    undo = page.locator("#toasts").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    alice.delete(gone)
    page.locator(f"#actions-{gone} .action-like").click()
    expect(page.get_by_text("gone soon")).to_have_count(0)
    undo.click()  # of the repost: it brings back no post
    expect(page.locator("#toasts")).to_have_text(re.compile("Repost undone"))
    expect(page.get_by_text("gone soon")).to_have_count(0)


def test_an_answer_takes_nothing_back_that_was_pressed_since(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    with requests_paused(page, "**/bookmark"):
        with page.expect_response("**/like"):
            card(page).locator(".action-like").click()
            card(page).locator(".action-bookmark").click()
        expect(card(page).locator(".action-like")).to_have_accessible_name("Like, 1 so far")
        pressed(page, "bookmark")
    answered(page)
    pressed(page, "bookmark")


def test_what_is_taken_back_while_it_is_under_way_is_taken_back(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    with page.expect_response("**/like/delete"), requests_paused(page, "**/like"):
        card(page).locator(".action-like").dblclick()
        pressed(page, "like", is_on=False)
    answered(page)
    pressed(page, "like", is_on=False)
    page.reload()
    pressed(page, "like", is_on=False)
    expect(card(page).locator(".action-like")).to_have_text("")


def test_what_is_pressed_thrice_is_sent_once(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    with requests_paused(page, "**/like"):
        for _ in range(3):
            card(page).locator(".action-like").click()
        pressed(page, "like")
        card(page).locator(".action-bookmark").click()
    answered(page)
    pressed(page, "bookmark")
    pressed(page, "like")
    assert [url.rpartition("/")[2] for url in asked] == ["like", "bookmark"]


def test_an_answer_does_not_close_the_menu_that_was_opened_meanwhile(
    alice: Member, bob: Member, browse: Browse
) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    with page.expect_response("**/like"), requests_paused(page, "**/like"):
        card(page).locator(".action-like").click()
        card(page).locator(".action-repost").click()
    answered(page)
    card(page).get_by_role("button", name="Repost", exact=True).click()
    expect(page.locator("#toasts")).to_contain_text("Reposted.")


def twice_on_a_page(alice: Member, bob: Member, browse: Browse) -> Page:
    """Open a page with two cards of one post: as it was written, and as its author reposted it."""
    post = alice.write("hello")
    alice.send(f"/posts/{post}/repost")
    page = browse(bob)
    page.goto("/@alice")
    expect(page.get_by_role("article")).to_have_count(2)
    page.wait_for_load_state("networkidle")
    return page


def test_every_card_of_a_post_shows_what_is_pressed_on_one(alice: Member, bob: Member, browse: Browse) -> None:
    page = twice_on_a_page(alice, bob, browse)
    with requests_paused(page, "**/posts/**"):
        card(page).locator(".action-like").click()
        card(page, 1).locator(".action-bookmark").click()
        card(page).locator(".action-repost").click()
        card(page).get_by_role("button", name="Repost", exact=True).click()
        for number in range(2):
            pressed(page, "like", number)
            pressed(page, "bookmark", number)
            expect(card(page, number).locator(".action-repost")).to_have_accessible_name("Reposted, 2 so far")
    answered(page)
    for number in range(2):
        expect(card(page, number).get_by_role("button", name="Like, 1 so far")).to_have_text("1")
        pressed(page, "bookmark", number)
    card(page, 1).locator(".action-repost").click()
    card(page, 1).get_by_role("button", name="Undo repost").click()
    expect(card(page).locator(".action-repost")).to_have_accessible_name("Repost, 1 so far")
    card(page, 1).locator(".action-like").click()
    pressed(page, "like", is_on=False)
    answered(page)
    page.reload()
    pressed(page, "like", 1, is_on=False)


def test_what_is_undone_from_its_message_is_undone_on_every_card(alice: Member, bob: Member, browse: Browse) -> None:
    page = twice_on_a_page(alice, bob, browse)
    card(page).locator(".action-repost").click()
    card(page).get_by_role("button", name="Repost", exact=True).click()
    page.locator("#toasts").get_by_role("button", name="Undo").click()
    for number in range(2):
        expect(card(page, number).locator(".action-repost")).to_have_accessible_name("Repost, 1 so far")
        expect(card(page, number).locator(".action-repost")).to_have_text("1")


def test_every_card_of_a_post_goes_back_if_it_fails(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("500 /posts/")
    page = twice_on_a_page(alice, bob, browse)

    def refuse(route: Route) -> None:
        route.fulfill(status=500, content_type="text/plain", body="Not now.")

    page.route("**/posts/**", refuse)
    card(page).locator(".action-like").click()
    card(page, 1).locator(".action-bookmark").click()
    card(page, 1).locator(".action-repost").click()
    card(page, 1).get_by_role("button", name="Repost", exact=True).click()
    answered(page)
    expect(page.locator("#toasts")).to_contain_text("Not now.")
    for number in range(2):
        pressed(page, "like", number, is_on=False)
        expect(card(page, number).locator(".action-like")).to_have_accessible_name("Like")
        pressed(page, "bookmark", number, is_on=False)
        expect(card(page, number).locator(".action-repost")).to_have_accessible_name("Repost, 1 so far")


def test_one_that_fails_leaves_the_others(alice: Member, bob: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("500 /posts/")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    page.route("**/like", lambda route: route.fulfill(status=500, content_type="text/plain", body="Not now."))
    card(page).locator(".action-like").click()
    card(page).locator(".action-bookmark").click()
    expect(page.locator("#toasts")).to_contain_text("Not now.")
    answered(page)
    pressed(page, "like", is_on=False)
    pressed(page, "bookmark")
    page.reload()
    pressed(page, "bookmark")
