"""What surrounds every request is cheap, and as strict as Flask's own."""

from __future__ import annotations

import pytest
from flask import Flask

from app.extensions import csrf, limiter
from app.web.application import LONGEST_KEPT_COOKIES, Freshet
from tests.people import Member


def test_no_hook_that_was_dropped_has_anything_to_do(app: Flask) -> None:
    """Flask-Limiter's would check limits of all pages, Flask-Login's refresh a cookie, Flask-WTF's exempt views."""
    manager = limiter.limit_manager
    assert manager.application_limits == [] and manager.default_limits == []
    assert limiter._meta_limits == [] and not limiter._headers_enabled
    assert not app.config.get("REMEMBER_COOKIE_REFRESH_EACH_REQUEST")
    assert not csrf._exempt_views and not csrf._exempt_blueprints


def test_an_address_that_was_found_before_still_asks_for_its_method(app: Flask, alice: Member) -> None:
    for _ in range(2):
        assert alice.client.get("/feed").status_code == 200
        assert alice.client.head("/feed").status_code == 200
        assert alice.client.post("/feed").status_code == 405
        assert alice.client.get("/feed/").status_code == 404


def test_only_addresses_without_parameters_are_kept(app: Freshet, alice: Member) -> None:
    alice.get("/"), alice.get(f"/@{alice.handle}"), alice.get("/explore")
    before = len(app.plain_rules)
    for number in range(20):
        alice.client.get(f"/nothing-{number}")
        alice.client.get(f"/@{alice.handle}?tab={number}")
        alice.client.get(f"/posts/{number + 1}/why")
    assert len(app.plain_rules) == before
    assert not any(rule.arguments for rule in app.plain_rules.values())


@pytest.mark.parametrize("padding", [0, LONGEST_KEPT_COOKIES])
def test_each_request_has_its_own_cookies(app: Flask, padding: int) -> None:
    for theme in ("dark", "light", "dark"):
        page = app.test_client(use_cookies=False).get(
            "/explore", headers={"Cookie": f"theme={theme}; pad={'x' * padding}"}
        )
        assert f'data-theme="{theme}"' in page.text


def test_what_an_answer_says_itself_is_kept_and_the_rest_is_added(app: Flask, alice: Member) -> None:
    page, file = alice.client.get("/"), alice.client.get("/favicon.ico")
    assert page.headers.getlist("Vary") == ["HX-Request, HX-Boosted, HX-History-Restore-Request, Cookie"]
    assert page.headers.getlist("Cache-Control") == ["private, no-cache"]
    assert len(page.headers.getlist("Content-Security-Policy")) == 1
    assert "public" in file.headers["Cache-Control"] and len(file.headers.getlist("Cache-Control")) == 1
