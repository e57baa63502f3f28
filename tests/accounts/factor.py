"""An authenticator app for tests: it keeps a secret and shows codes, now or a little later."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pyotp
import pytest
from werkzeug.test import TestResponse

from app.core import clock
from tests.accounts.browser import Browser
from tests.people import Member


class Phone:
    """Somebody's phone."""

    def __init__(self, secret: str) -> None:
        self.totp = pyotp.TOTP(secret)

    def code(self, *, steps: int = 0) -> str:
        """Return what the app shows now, or some half minutes later."""
        return str(self.totp.at(clock.now(), counter_offset=steps))

    def wrong_code(self) -> str:
        near = {self.code(steps=steps) for steps in range(-3, 4)}
        return next(
            code for code in ("123456", "234567", "345678", "456789", "567890", "678901", "789012") if code not in near
        )


def scan(page: str) -> tuple[Phone, str]:
    """Read the key off a page, as an app reads the square, and the offer in its form."""
    secret = re.search(r'class="factor-key">([A-Z2-7 ]+)<', page)
    offer = re.search(r'name="offer"[^>]* value="([^"]+)"', page)
    assert secret and offer, page
    return Phone(secret[1].replace(" ", "")), html.unescape(offer[1])


def recovery_codes(page: str) -> list[str]:
    return re.findall(r"<code>([a-z0-9-]+)</code>", page)


def switch_on(member: Member) -> tuple[Phone, list[str]]:
    """Set up a second factor, as the pages lead to it."""
    phone, offer = scan(member.send("/settings/factors/new").text)
    response = member.send("/settings/factors", offer=offer, code=phone.code())
    assert response.status_code == 200, response.text
    return phone, recovery_codes(response.text)


def give(browser: Browser, code: str, **fields: str) -> TestResponse:
    """Enter a code after the password."""
    return browser.submit("/login/code", code=code, **fields)


def move_clock(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let it be later, so that the app shows another code."""
    there = clock.now() + by
    monkeypatch.setattr(clock, "now", lambda: there)
