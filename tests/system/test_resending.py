"""A post that is sent twice stands there once: two clicks, a lost answer, two tabs, the way back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.test_writing import card, dialog, field, reply

LOST = ("net::ERR_CONNECTION_RESET", "console: htmx:")


@contextmanager
def answers_lost(page: Page) -> Iterator[None]:
    """Let what is posted arrive, and lose the answers."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    page.route("**/posts", lose)
    yield
    page.unroute("**/posts")


def write(page: Page, words: str) -> None:
    page.locator("#compose").fill(words)
    page.locator("#composer .button-primary").click()


def test_a_post_whose_answer_was_lost_is_sent_again_and_stands_there_once(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect(*LOST)
    page = browse(alice)
    page.goto("/")
    with answers_lost(page):
        write(page, "hello")
        expect(page.locator("#toasts")).to_contain_text("No connection.")
    expect(page.locator("#compose")).to_have_value("hello")
    page.locator("#composer .button-primary").click()
    expect(page.locator("#list article")).to_have_count(1)
    expect(page.locator("#compose")).to_have_value("")
    assert len(alice.feed()) == 1
    write(page, "another")
    expect(page.locator("#list article")).to_have_count(2)


def test_its_draft_is_not_posted_again_after_a_reload(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect(*LOST)
    page = browse(alice)
    page.goto("/")
    with answers_lost(page):
        write(page, "hello")
        expect(page.locator("#toasts")).to_contain_text("No connection.")
    page.reload()
    expect(page.locator("#list article")).to_have_count(1)
    expect(page.locator("#compose")).to_have_value("hello")
    page.locator("#composer .button-primary").click()
    expect(page.locator("#compose")).to_have_value("")
    expect(page.locator("#list article")).to_have_count(1)
    assert len(alice.feed()) == 1


def test_what_was_changed_after_a_lost_answer_is_asked_about(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect(*LOST, "422 /posts")
    page = browse(alice)
    page.goto("/")
    with answers_lost(page):
        write(page, "hello")
        expect(page.locator("#toasts")).to_contain_text("No connection.")
    write(page, "hello and more")
    expect(page.locator("#composer [role=alert]")).to_contain_text("You’ve already posted from this form")
    expect(page.locator("#compose")).to_have_value("hello and more")
    page.locator("#composer .button-primary").click()
    expect(page.locator("#list article")).to_have_count(1)
    assert len(alice.feed()) == 2


def test_two_tabs_with_the_same_draft_make_one_post(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/compose")
    page.locator("#compose").fill("hello")
    tab = page.context.new_page()
    tab.goto("/")
    expect(tab.locator("#compose")).to_have_value("hello")
    for each in (page, tab):
        each.locator("#composer .button-primary").click()
        expect(each.locator("#list article")).to_have_count(1)
    assert len(alice.feed()) == 1


def test_a_reply_whose_answer_was_lost_is_counted_once(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect(*LOST)
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    reply(page, "hello").click()
    field(page).fill("indeed")
    with answers_lost(page):
        page.keyboard.press("Control+Enter")
        expect(page.locator("#toasts")).to_contain_text("No connection.")
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Control+Enter")
    expect(page.locator("#toasts")).to_contain_text("Reply sent · View")
    expect(card(page, "hello").get_by_role("link", name="Reply, 1 so far")).to_be_visible()
    assert len(bob.feed()) == 2


def test_without_javascript_back_and_send_again_makes_one_post(alice: Member, browse: Browse) -> None:
    page = browse(alice, scripts=False)
    page.goto("/compose")
    page.locator("#compose").fill("hello")
    page.locator("#composer .button-primary").click()
    expect(page.get_by_role("article")).to_have_count(1)
    page.go_back()
    page.locator("#compose").fill("hello")
    page.locator("#composer .button-primary").click()
    expect(page.get_by_role("article")).to_have_count(1)
    assert len(alice.feed()) == 1
