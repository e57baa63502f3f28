"""Writing over a page on a slow or broken network: closing stops nothing, and nothing that was typed is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused
from tests.system.test_writing import card, dialog, field, reply


def toasts(page: Page) -> Locator:
    return page.locator("#toasts")


@contextmanager
def answering(page: Page, address: str, answer: Callable[[Route], None]) -> Iterator[None]:
    page.route(address, answer)
    yield
    page.unroute(address)


def fail(page: Page, waiting: list[Route], failure: str) -> None:
    while not waiting:
        page.wait_for_timeout(10)
    if failure == "broken":
        waiting[0].fulfill(status=500, body="oh")
    else:
        waiting[0].abort()


def begin_reply(page: Page, to: str, words: str) -> None:
    reply(page, to).click()
    field(page).fill(words)


@pytest.mark.parametrize("width", [360, 1280])
def test_closing_while_it_is_sent_keeps_sending_and_says_when_it_is_there(
    alice: Member, bob: Member, browse: Browse, width: int
) -> None:
    alice.write("hello")
    page = browse(bob, width=width)
    page.goto("/")
    begin_reply(page, "hello", "indeed")
    with requests_paused(page, "**/posts"):
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
        expect(dialog(page)).to_be_hidden()
        expect(reply(page, "hello")).to_be_focused()
    expect(toasts(page)).to_contain_text("Reply sent · View")
    expect(card(page, "hello").get_by_role("link", name="Reply, 1 so far")).to_be_visible()
    expect(page.locator("#drafts-count")).to_have_text("")
    reply(page, "hello").click()
    expect(field(page)).to_have_value("")


def test_another_reply_can_be_written_while_one_is_sent(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("the first")
    alice.write("the second")
    page = browse(bob)
    page.goto("/")
    begin_reply(page, "the first", "to the first")
    with requests_paused(page, "**/posts"):
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
        begin_reply(page, "the second", "to the")
    expect(toasts(page)).to_contain_text("Reply sent · View")
    expect(card(page, "the first").get_by_role("link", name="Reply, 1 so far", include_hidden=True)).to_have_count(1)
    expect(dialog(page)).to_be_visible()
    expect(field(page)).to_be_focused()
    page.keyboard.type(" second")
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_be_hidden()
    expect(card(page, "the second").get_by_role("link", name="Reply, 1 so far")).to_be_visible()


def test_what_was_refused_after_closing_can_be_gone_back_to(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    begin_reply(page, "hello", "x" * 503)
    with requests_paused(page, "**/posts"):
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
    expect(toasts(page)).to_contain_text("That wasn’t sent. This is 3 characters too long.")
    expect(dialog(page)).to_be_hidden()
    toasts(page).get_by_role("button", name="Back to it").click()
    expect(dialog(page).get_by_role("alert")).to_contain_text("This is 3 characters too long.")
    expect(field(page)).to_have_value("x" * 503)
    field(page).fill("shorter")
    page.keyboard.press("Control+Enter")
    expect(toasts(page)).to_contain_text("Reply sent")


@pytest.mark.parametrize("failure", ["offline", "broken"])
def test_what_failed_after_closing_is_kept_and_said(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, failure: str
) -> None:
    complaints.expect(*(["500 /posts"] if failure == "broken" else ["net::ERR_FAILED", "console: htmx:"]))
    alice.write("hello")
    alice.write("another")
    page = browse(bob)
    page.goto("/")
    begin_reply(page, "hello", "indeed")
    waiting: list[Route] = []
    with answering(page, "**/posts", lambda route: waiting.append(route)):
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
        begin_reply(page, "another", "meanwhile")
        page.keyboard.press("Escape")
        fail(page, waiting, failure)
        expect(toasts(page)).to_contain_text("That didn’t work." if failure == "broken" else "No connection.")
    toasts(page).get_by_role("button", name="Back to it").click()
    expect(dialog(page)).to_contain_text("hello")
    expect(field(page)).to_have_value("indeed")
    page.keyboard.press("Control+Enter")
    expect(toasts(page)).to_contain_text("Reply sent")
    reply(page, "another").click()
    expect(field(page)).to_have_value("meanwhile")


def test_the_form_of_the_page_is_back_in_its_place_when_it_is_sent(alice: Member, browse: Browse) -> None:
    for number in range(12):
        alice.write(f"page {number:02}")
    page = browse(alice)
    page.goto("/")
    card(page, "page 00").scroll_into_view_if_needed()
    card(page, "page 00").focus()
    page.keyboard.press("n")
    expect(page.get_by_label("Write a post")).to_be_focused()
    page.keyboard.type("from far down")
    with requests_paused(page, "**/posts"):
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Escape")
        expect(dialog(page, "New post")).to_be_hidden()
    expect(toasts(page)).to_contain_text("Posted · View")
    expect(card(page, "page 00")).to_be_focused()
    expect(page.locator(".column .composer textarea[name=text]")).to_have_value("")
    expect(page.locator("#list .post").first).to_contain_text("from far down")


@pytest.mark.parametrize("failure", ["offline", "broken"])
def test_a_form_that_does_not_come_says_so_and_keeps_what_was_typed(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, failure: str
) -> None:
    complaints.expect(*(["500 /compose"] if failure == "broken" else ["net::ERR_FAILED", "console: htmx:"]))
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    waiting: list[Route] = []
    with answering(page, "**/compose?*", lambda route: waiting.append(route)):
        reply(page, "hello").click()
        page.keyboard.type("half a thou")
        expect(page.locator("#writing textarea")).to_have_value("half a thou")
        fail(page, waiting, failure)
        expect(dialog(page).get_by_role("alert")).to_contain_text("What you’ve typed is still here.")
        expect(toasts(page)).to_be_empty()
        expect(page.locator("#writing textarea")).to_be_focused()
        page.keyboard.type("ght")
    dialog(page).get_by_role("button", name="Try again").click()
    expect(field(page)).to_have_value("half a thought")
    expect(field(page)).to_be_focused()
    expect(dialog(page).get_by_role("alert")).to_have_count(0)
    page.keyboard.press("Control+Enter")
    expect(toasts(page)).to_contain_text("Reply sent")


def test_words_without_a_form_outlive_the_page(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    begin_reply(page, "hello", "half ")
    page.reload()
    with answering(page, "**/compose?*", lambda _: None):
        reply(page, "hello").click()
        page.keyboard.type("a thought")
        expect(page.locator("#writing textarea")).to_have_value("a thought")
        page.goto("/explore")
    reply(page, "hello").click()
    expect(field(page)).to_have_value("half a thought")
