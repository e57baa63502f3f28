"""The row below the text: who can see it, a warning, how much room is left. By mouse, by keyboard, without scripts."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse


def audience(page: Page) -> None:
    """Open the list of audiences."""
    page.locator(".composer-audience summary").click()


def test_the_row_says_who_can_see_it(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    summary = page.locator(".composer-audience summary")
    expect(summary).to_contain_text("Everyone", use_inner_text=True)
    audience(page)
    page.get_by_text("Only people who follow you").click()
    expect(summary).to_contain_text("Followers", use_inner_text=True)
    expect(summary).not_to_contain_text("Everyone", use_inner_text=True)
    expect(page.get_by_role("radio", name="Followers")).to_be_hidden()  # a choice closes the list
    page.get_by_label("Write a post").fill("for my followers")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").get_by_label("Followers only")).to_be_visible()
    expect(summary).to_contain_text("Everyone", use_inner_text=True)


def test_by_keyboard_a_choice_is_made_with_arrows_and_enter_sends_nothing(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    page.get_by_label("Write a post").fill("not yet")
    page.locator(".composer-audience summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Followers")).to_be_checked()
    expect(page.get_by_role("radio", name="Followers")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".composer-audience")).not_to_have_attribute("open", "")
    expect(page.locator(".composer-audience summary")).to_be_focused()
    expect(page.get_by_role("article")).to_have_count(0)


def test_a_warning_is_counted_and_enter_leads_back_to_the_text(alice: Member, browse: Browse) -> None:
    page = browse(alice, width=390)
    page.goto("/")
    page.get_by_role("link", name="What’s new?").click()
    page.get_by_label("Write a post").fill("the butler did it")
    page.locator(".composer-warning summary").click()
    field = page.get_by_label("Content warning")
    expect(field).to_be_focused()
    page.keyboard.type("The end of the book")
    expect(page.locator("#warning-count")).to_have_text("81 left")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Write a post")).to_be_focused()
    expect(page.get_by_role("article")).to_have_count(0)
    field.focus()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("article").get_by_text("The end of the book")).to_be_visible()
    expect(page.get_by_role("article").get_by_text("the butler did it")).to_be_hidden()
    page.get_by_role("link", name="What’s new?").click()
    expect(page.get_by_label("Write a post")).to_be_focused()
    expect(page.get_by_label("Content warning")).to_be_hidden()  # the next post needs none


def test_without_javascript_the_same_row_works(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /posts")
    page = browse(alice, scripts=False)
    page.goto("/")
    page.get_by_label("Write a post").fill("hello")
    audience(page)
    page.get_by_text("People you mention").click()
    expect(page.locator(".composer-audience summary")).to_contain_text("Mentioned", use_inner_text=True)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("You haven’t mentioned anyone")).to_be_visible()
    expect(page.get_by_label("Write a post")).to_have_value("hello")
    page.locator(".composer-warning summary").click()
    page.get_by_label("Content warning").fill("a test")
    audience(page)
    page.get_by_text("Only people who follow you").click()
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("article").get_by_text("a test")).to_be_visible()
