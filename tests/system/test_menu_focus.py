"""A menu that the keyboard has left does not stay open over the posts."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.conftest import Browse


def open_by_keyboard(page: Page, menu: Locator) -> None:
    menu.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Copy link")).to_be_visible()
    expect(menu.get_by_text("Mute this conversation")).to_be_visible()  # the rest is there, too


def test_tabbing_out_of_a_menu_closes_it_and_goes_on(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("below")
    alice.write("above")
    page = browse(bob)
    page.goto("/")
    menu = page.locator(".post details.menu").first

    open_by_keyboard(page, menu)
    for item in menu.locator("a, button").all():
        page.keyboard.press("Tab")
        expect(item).to_be_focused()
        expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    expect(menu).not_to_have_attribute("open", "")
    expect(page.get_by_role("article").first.get_by_role("link", name="Reply")).to_be_focused()

    open_by_keyboard(page, menu)
    page.keyboard.press("Shift+Tab")
    expect(menu).not_to_have_attribute("open", "")
    expect(page.get_by_role("article").first.locator(".post-time")).to_be_focused()
