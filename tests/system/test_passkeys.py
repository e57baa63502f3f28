"""Passkeys in a browser, with the key that Chromium makes up for tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.accounts.test_sudo import forget
from tests.people import PASSWORD, Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.passkeys import add, at_localhost, begin, plug_in


def give_password(page: Page, path: str = "/login") -> None:
    page.goto(path)
    page.get_by_label("Handle or email").fill("alice")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


@pytest.fixture
def page(browse: Browse, alice: Member) -> Iterator[Page]:
    """Open Alice's settings in a browser with a key, where passkeys work."""
    page = browse()
    page.goto("/login")
    key = plug_in(page)
    give_password(page, at_localhost(page, "/login?next=/settings/factors"))
    yield page
    key.send("WebAuthn.disable")


def test_one_logs_in_by_a_passkey_alone_or_after_the_password_and_removes_it(
    app: Flask, page: Page, complaints: Complaints
) -> None:
    complaints.expect("422 /login/passkey", "403 /settings/factors/passkeys/")
    begin(page)
    page.get_by_label("Name").fill("My phone")
    page.keyboard.press("Enter")  # as the button does
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    page.get_by_role("link", name="I’ve kept them").click()
    expect(page.get_by_text("not used yet")).to_be_visible()

    page.context.clear_cookies()
    page.goto(at_localhost(page, "/login?next=/settings/factors"))
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("last used")).to_be_visible()

    page.context.clear_cookies()
    give_password(page, at_localhost(page, "/login?next=/settings/factors"))
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("last used")).to_be_visible()

    forget(app)
    page.get_by_role("link", name="Edit the passkey “My phone”").click()
    page.get_by_role("button", name="Remove this passkey").click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("Your passkey has been removed.")).to_be_visible()

    page.context.clear_cookies()
    page.goto(at_localhost(page, "/login"))
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("That passkey doesn’t open an account here.")).to_be_visible()


def test_a_device_has_one_passkey_for_an_account(page: Page) -> None:
    add(page)
    page.get_by_role("link", name="I’ve kept them").click()
    add(page, "Again")
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Again")


def test_at_another_address_one_is_told_where_passkeys_work(browse: Browse, alice: Member) -> None:
    page = browse(alice)
    page.goto("/settings/factors")
    begin(page)
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_text("Passkeys work only at http://localhost:")).to_be_visible()


def test_without_javascript_no_button_does_nothing(browse: Browse, alice: Member) -> None:
    page = browse(alice, scripts=False)
    page.goto("/settings/factors")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("link", name="Cancel")).to_be_visible()
    expect(page.get_by_role("button", name="Make the passkey")).to_be_hidden()
    assert "Passkeys need JavaScript. Use an authenticator app instead." in page.content()
