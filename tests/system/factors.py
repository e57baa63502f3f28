"""What people do with second factors and forgotten passwords, in a browser."""

from __future__ import annotations

import pyotp
from playwright.sync_api import Page, expect

from tests.people import PASSWORD


def _key(page: Page) -> str:
    return page.locator(".factor-key").inner_text().replace(" ", "")


def begin(page: Page) -> None:
    """Let the square be shown."""
    page.get_by_role("button", name="Set it up").click()
    expect(page.locator(".factor-square svg")).to_be_visible()


def enter_a_wrong_code(page: Page) -> None:
    begin(page)
    page.get_by_label("Code").fill("12345")
    page.get_by_role("button", name="Switch it on").click()
    expect(page.locator("#code-error")).to_be_visible()


def switch_on(page: Page) -> list[str]:
    """Set it up, and return the recovery codes."""
    begin(page)
    page.get_by_label("Code").fill(pyotp.TOTP(_key(page)).now())
    page.get_by_role("button", name="Switch it on").click()
    expect(page.locator(".recovery-codes")).to_be_visible()
    return page.locator(".recovery-codes code").all_inner_texts()


def look_at_recovery_codes(page: Page) -> None:
    switch_on(page)


def keep_recovery_codes(page: Page) -> None:
    switch_on(page)
    page.get_by_role("link", name="I’ve kept them").click()
    expect(page.get_by_text("Your second factor is on")).to_be_visible()


def log_in_again(page: Page) -> list[str]:
    """Set it up, log out and give the password again; return the recovery codes."""
    codes = switch_on(page)
    handle = page.locator(".me-card, .rail a[href^='/@']").first.get_attribute("href") or ""
    page.context.clear_cookies()
    page.goto("/login")
    page.get_by_label("Handle or email").fill(handle.removeprefix("/"))
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    return codes


def look_at_the_last_step(page: Page) -> None:
    log_in_again(page)


def enter_a_wrong_last_code(page: Page) -> None:
    log_in_again(page)
    page.get_by_label("Code").fill("12345")
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#code-error")).to_be_visible()


def fail_to_show_who_it_is(page: Page) -> None:
    """Send a wrong password, as the page that asks for it would."""
    form = page.locator("main form.form-buttons").first
    form.evaluate("form => form.insertAdjacentHTML('beforeend', '<input type=hidden name=proof value=wrong>')")
    form.get_by_role("button").click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()


def make_a_link(page: Page) -> None:
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("The link", exact=True)).to_be_visible()


def open_a_link(page: Page) -> None:
    make_a_link(page)
    link = page.get_by_label("The link", exact=True).input_value()
    page.goto("/reset/" + link.partition("/reset/")[2])
    expect(page.get_by_label("New password")).to_be_visible()


def choose_a_bad_password(page: Page) -> None:
    open_a_link(page)
    page.get_by_label("New password").fill("short")
    page.get_by_role("button", name="Change password").click()
    expect(page.locator("#password-error")).to_be_visible()
