"""Ways into an account, in a browser: a code after the password, a forgotten password, asking again before danger."""

from __future__ import annotations

import re

import pyotp
import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.accounts.test_sudo import forget
from tests.mailbox import mail_server, sending
from tests.outbox import drain
from tests.people import PASSWORD, Member
from tests.system import factors
from tests.system.complaints import Complaints
from tests.system.conftest import Browse

with_and_without = pytest.mark.parametrize("scripts", [True, False], ids=["with JavaScript", "without JavaScript"])


def give_password(page: Page, handle: str, password: str = PASSWORD) -> None:
    page.goto("/login?next=/settings/sessions")
    page.get_by_label("Handle or email").fill(handle)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Log in").click()


def give_code(page: Page, code: str) -> None:
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")


@with_and_without
def test_an_app_and_recovery_codes_open_the_account_after_the_password(
    scripts: bool, browse: Browse, alice: Member, complaints: Complaints
) -> None:
    complaints.expect("422 /login/code")
    page = browse(alice, scripts=scripts)
    page.goto("/settings/factors")
    factors.begin(page)
    app = pyotp.TOTP(page.locator(".factor-key").inner_text().replace(" ", ""))
    give_code(page, app.now())
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    codes = page.locator(".recovery-codes code").all_inner_texts()

    page.context.clear_cookies()
    give_password(page, "alice")
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    give_code(page, "000000")
    expect(page.locator("#code-error")).to_be_visible()
    give_code(page, codes[0])
    expect(page.get_by_text("You have 9 left.")).to_be_visible()
    expect(page).to_have_url(re.compile("/settings/sessions$"))


@with_and_without
def test_a_forgotten_password_is_replaced_by_a_link_from_an_e_mail(
    scripts: bool, app: Flask, browse: Browse, alice: Member
) -> None:
    page = browse(scripts=scripts)
    page.goto("/login")
    page.get_by_role("link", name="Forgotten your password?").click()
    page.get_by_label("Email").fill("alice@example.org")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    with mail_server() as mailbox, sending(app, mailbox.url):
        drain(app)
    page.goto(mailbox.link("alice@example.org", "/reset/"))
    page.get_by_label("New password").fill("a brand new password")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your password has been changed")).to_be_visible()
    give_password(page, "alice", "a brand new password")
    expect(page.get_by_text("This device")).to_be_visible()


@with_and_without
def test_what_was_typed_goes_on_after_asking_again(
    scripts: bool, app: Flask, browse: Browse, mod: Member, alice: Member, complaints: Complaints
) -> None:
    complaints.expect("403 /admin/roles", "422 /admin/roles")
    forget(app)
    page = browse(mod, scripts=scripts)
    page.goto("/admin/roles")
    page.get_by_label("Person").fill("alice")
    page.get_by_label("Moderator:").check()
    page.get_by_label("Reason").fill("She’s “fair” & <kind>")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    for password in ("wrong", PASSWORD):
        page.get_by_label("Your password").fill(password)
        page.keyboard.press("Enter")
    expect(page.get_by_text("@alice is now a moderator.")).to_be_visible()
    page.goto("/admin/log")
    expect(page.get_by_text("She’s “fair” & <kind>")).to_be_visible()
