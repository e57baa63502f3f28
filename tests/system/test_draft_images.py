"""Images of drafts: they come back with the text, with what was written about them, as long as they wait."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from sqlalchemy import text

from app.extensions import db
from tests.people import Member
from tests.system.clock import settle
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_drafts import (
    KEPT,
    browse_again,
    composer,
    end_sessions,
    expect_drafts,
    line,
    log_in,
    posts,
    send,
)
from tests.system.test_images import choose, chosen, descriptions, photo, shown

GONE = "An image from your draft is no longer here. Unposted images are kept for a week."


@pytest.fixture(autouse=True)
def asked_for_no_descriptions(alice: Member) -> None:
    """Leave the reminder to the tests that are about it."""
    assert alice.send("/settings/writing", descriptions="never").status_code == 303


def expect_shown(page: Page, number: int) -> None:
    """Wait until so many images are uploaded and can be seen."""
    expect(descriptions(page)).to_have_count(number)
    for image in page.locator(".composer-image img").all():
        expect(image).to_have_js_property("naturalWidth", 480)


def choose_two(page: Page) -> None:
    """Choose two images and describe them."""
    choose(page, photo("a.jpg"), photo("b.jpg", colour="red"))
    expect_shown(page, 2)
    descriptions(page).first.fill("A teal wall")
    descriptions(page).last.fill("A red one")


def expect_two(page: Page) -> None:
    """Wait until both are shown as they were chosen."""
    expect_shown(page, 2)
    expect(descriptions(page).first).to_have_value("A teal wall")
    expect(descriptions(page).last).to_have_value("A red one")


def alts(page: Page) -> list[str | None]:
    expect(shown(page).first).to_be_visible()
    return [image.get_attribute("alt") for image in shown(page).all()]


def forget_images(app: Flask, where: str = "post_id IS NULL") -> None:
    """Remove images as the hourly task does."""
    with app.app_context():
        db.session.execute(text(f"DELETE FROM post_images WHERE {where}"))
        db.session.commit()


@pytest.mark.parametrize("path", ["/", "/compose"])
def test_images_come_back_with_the_draft_and_are_posted_in_their_order(
    alice: Member, browse: Browse, path: str
) -> None:
    page = browse(alice)
    page.goto(path)
    composer(page).fill("Two of them")
    choose_two(page)
    page.close()
    tab = page.context.new_page()
    tab.goto(path)
    expect_two(tab)
    expect(composer(tab)).to_have_value("Two of them")
    expect(line(tab)).to_have_text(KEPT)
    send(tab)
    expect(posts(tab)).to_contain_text(["Two of them"])
    assert alts(tab) == ["A teal wall", "A red one"]
    expect(chosen(tab)).to_have_count(0)
    expect_drafts(tab, 0)


def test_images_alone_are_a_draft(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose_two(page)
    expect_drafts(page, 1)
    page.reload()
    expect_two(page)
    expect(line(page)).to_have_text(KEPT)
    send(page)
    assert alts(page) == ["A teal wall", "A red one"]
    expect_drafts(page, 0)


def test_a_draft_follows_what_is_added_described_and_left_out(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose_two(page)
    page.reload()
    expect_two(page)
    with page.expect_response("**/images/*/delete") as deleted:
        page.get_by_role("button", name="Remove image").first.click()
    assert deleted.value.status == 200
    choose(page, photo("c.jpg", colour="blue"))
    expect_shown(page, 2)
    descriptions(page).last.fill("The sea")
    page.reload()
    expect_shown(page, 2)
    expect(descriptions(page).first).to_have_value("A red one")
    expect(descriptions(page).last).to_have_value("The sea")
    expect(line(page)).to_have_text(KEPT)
    for _ in range(2):
        with page.expect_response("**/images/*/delete"):
            page.get_by_role("button", name="Remove image").first.click()
    expect_drafts(page, 0)


def test_an_upload_that_is_not_finished_is_no_part_of_the_draft(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("with a slow image")
    with requests_paused(page, "**/images"):
        choose(page, photo("slow.jpg"))
        expect(page.get_by_role("progressbar")).to_be_visible()
        tab = browse_again(page)
        expect(line(tab)).to_have_text(KEPT)
        expect(tab.locator(".composer-image")).to_have_count(0)
    expect(chosen(page)).to_have_count(1)


def test_discarding_takes_the_images_and_undo_brings_them_back(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("Two of them")
    choose_two(page)
    page.reload()
    expect_two(page)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(".composer-image")).to_have_count(0)
    expect_drafts(page, 0)
    page.get_by_role("button", name="Undo").click()
    expect_two(page)
    expect(composer(page)).to_have_value("Two of them")
    expect(composer(page)).to_be_focused()
    page.reload()
    expect_two(page)
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(line(page)).to_have_count(0)
    expect(page.locator(".composer-image")).to_have_count(0)


def test_an_image_that_is_gone_is_named_and_the_rest_is_there(alice: Member, browse: Browse, app: Flask) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("Two of them")
    choose_two(page)
    forget_images(app, "id = (SELECT min(id) FROM post_images)")
    page.reload()
    expect(line(page)).to_have_text(f"Draft restored. {GONE} You’d described it as “A teal wall” · Discard")
    expect(composer(page)).to_have_value("Two of them")
    expect(descriptions(page)).to_have_count(1)
    expect(descriptions(page)).to_have_value("A red one")
    send(page)
    assert alts(page) == ["A red one"]


def test_a_draft_of_which_nothing_is_left_says_so_once(alice: Member, browse: Browse, app: Flask) -> None:
    page = browse(alice)
    page.goto("/")
    choose(page, photo())
    expect_shown(page, 1)
    forget_images(app)
    page.reload()
    expect(line(page)).to_have_text(GONE)
    expect(page.locator(".composer-image")).to_have_count(0)
    expect_drafts(page, 0)
    page.reload()
    expect(line(page)).to_have_count(0)


def test_a_post_waits_for_the_images_of_its_draft(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    choose_two(page)
    with requests_paused(page, "**/images?*"):
        page.reload(wait_until="domcontentloaded")
        expect(page.get_by_role("progressbar", name="Loading an image from your draft")).to_have_count(2)
        composer(page).fill("typed meanwhile")
        with requests_paused(page, "**/posts") as sent:
            send(page)
            settle(page)
            assert sent == []
        expect(posts(page)).to_have_count(0)
    expect(posts(page)).to_contain_text(["typed meanwhile"])
    assert alts(page) == ["A teal wall", "A red one"]


def test_images_that_cannot_be_shown_are_still_kept_and_posted(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /images")
    page = browse(alice)
    page.goto("/")
    choose_two(page)
    page.route("**/images?*", lambda route: route.fulfill(status=503, body="away"))
    page.reload()
    expect(page.get_by_text("This can’t be shown right now")).to_have_count(2)
    composer(page).fill("typed without seeing them")
    page.unroute("**/images?*")
    page.reload()
    expect_two(page)
    page.route("**/images?*", lambda route: route.fulfill(status=503, body="away"))
    page.reload()
    expect(page.get_by_text("This can’t be shown right now")).to_have_count(2)
    send(page)
    expect(posts(page)).to_contain_text(["typed without seeing them"])
    assert alts(page) == ["A teal wall", "A red one"]


def test_of_two_tabs_one_posts_an_image_and_the_other_loses_nothing_else(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    one = browse(alice)
    one.goto("/")
    composer(one).fill("the first")
    choose(one, photo())
    expect_shown(one, 1)
    two = browse_again(one)
    expect_shown(two, 1)
    choose(two, photo("b.jpg", colour="red"))
    expect_shown(two, 2)
    composer(two).fill("the second")
    descriptions(two).first.fill("A teal wall")
    descriptions(two).last.fill("A red one")
    send(one)
    expect(posts(one)).to_contain_text(["the first"])
    send(two)
    expect(two.get_by_role("alert")).to_have_text(
        re.compile("no longer here. Unless you posted it in another window.* You’d described it as “A teal wall”")
    )
    expect(composer(two)).to_have_value("the second")
    expect(descriptions(two)).to_have_count(1)
    expect(descriptions(two)).to_have_value("A red one")
    send(two)
    expect(posts(two).first).to_contain_text("the second")
    assert alts(two) == ["A red one"]
    expect_drafts(two, 0)


def test_an_image_that_another_tab_posted_leaves_an_empty_form_that_says_why(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    one = browse(alice)
    one.goto("/")
    choose(one, photo())
    expect_shown(one, 1)
    two = browse_again(one)
    expect_shown(two, 1)
    descriptions(two).fill("A teal wall")
    send(one)
    expect(posts(one)).to_have_count(1)
    send(two)
    expect(two.get_by_role("alert")).to_contain_text("Unless you posted it in another window, add it again.")
    expect(line(two)).to_have_text(f"{GONE} You’d described it as “A teal wall”")
    expect(two.locator(".composer-image")).to_have_count(0)
    expect_drafts(two, 0)


def test_a_session_that_ran_out_costs_no_image_with_htmx(
    alice: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("Two of them")
    choose_two(page)
    end_sessions(app)
    send(page)
    expect(page.locator("#toasts")).to_contain_text("what you typed is still here")
    page.goto("/login")  # instead of another tab
    log_in(page, "alice")
    expect_two(page)
    send(page)
    assert alts(page) == ["A teal wall", "A red one"]


def test_a_session_that_ran_out_costs_no_image_on_the_page_for_writing(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts")
    page = browse(alice)
    page.goto("/compose")
    choose_two(page)  # and no text
    end_sessions(app)
    send(page)
    expect(page.get_by_text("your post will be back in the form")).to_be_visible()
    log_in(page, "alice")
    expect_two(page)
    expect(line(page)).to_have_count(0)
    send(page)
    expect(posts(page)).to_have_count(1)
    assert alts(page) == ["A teal wall", "A red one"]
    expect_drafts(page, 0)


def test_without_javascript_a_session_that_ran_out_costs_no_image_that_was_uploaded(
    alice: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts", "422 /posts")
    page = browse(alice, scripts=False)
    page.goto("/compose")
    composer(page).fill("x" * 501)
    choose(page, photo("a.jpg"), photo("b.jpg", colour="red"))
    send(page)
    expect(descriptions(page)).to_have_count(2)
    descriptions(page).first.fill("A teal wall")
    descriptions(page).last.fill("A red one")
    composer(page).fill("short enough")
    end_sessions(app)
    send(page)
    expect(page.get_by_text("Images that hadn’t finished uploading")).to_have_count(0)
    log_in(page, "alice")
    expect_two(page)
    expect(composer(page)).to_have_value("short enough")
    send(page)
    expect(posts(page)).to_contain_text(["short enough"])
    assert alts(page) == ["A teal wall", "A red one"]
