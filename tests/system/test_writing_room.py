"""Writing where there is little room: on a phone the keyboard takes half of the screen, and Send must be in reach."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.people import Member
from tests.system.conftest import Browse
from tests.system.test_writing import dialog, field, reply


def test_above_the_keyboard_of_a_phone_there_is_all_that_sends_a_reply(
    alice: Member, bob: Member, browse: Browse
) -> None:
    """What the keyboard leaves is what the browser calls the visual viewport: here it shrinks with the window."""
    alice.write("hello\n\n" + "many words " * 30)
    page = browse(bob, width=390)
    page.goto("/")
    reply(page, "hello").click()
    expect(field(page)).to_be_focused()
    page.set_viewport_size({"width": 390, "height": 400})
    page.wait_for_function("document.querySelector('#writing').getBoundingClientRect().height <= 400")
    field(page).fill("indeed")
    send = dialog(page).get_by_role("button", name="Reply", exact=True)
    send.scroll_into_view_if_needed()
    expect(send).to_be_in_viewport(ratio=1)
    expect(field(page)).to_be_in_viewport()
    expect(dialog(page).get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    send.click()
    expect(page.locator("#toasts")).to_contain_text("Reply sent · View")


def test_by_the_keyboard_alone_the_focus_comes_back_to_the_button(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(bob)
    page.goto("/")
    for way in ("Escape", "Control+Enter"):
        reply(page, "hello").focus()
        page.keyboard.press("Enter")
        expect(field(page)).to_be_focused()
        page.keyboard.type("x")
        page.keyboard.press(way)
        expect(dialog(page)).to_be_hidden()
        expect(reply(page, "hello")).to_be_focused()
    expect(reply(page, "hello")).to_have_accessible_name("Reply, 1 so far")
