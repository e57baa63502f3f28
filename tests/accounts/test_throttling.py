"""Guessing is slow: per account from everywhere, per address for everybody, and also while Valkey is away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from app import create_app
from app.extensions import db, limiter, redis
from app.runtime.servers import EphemeralServers
from tests.accounts.browser import Browser, form_token
from tests.patience import PATIENT
from tests.people import PASSWORD, Member

PER_ACCOUNT = 6
PER_ADDRESS = 20


@pytest.fixture
def strict_app(app: Flask, alice: Member) -> Iterator[Flask]:
    """The site with its limits on, on the same servers; Alice is there."""
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    yield strict
    limiter.reset()
    limiter.enabled = False
    with strict.app_context():
        db.engine.dispose()


def guess(app: Flask, login: str = "alice", *, times: int, address: str = "198.51.100.1") -> list[int]:
    """Try wrong passwords and return what each try was answered."""
    browser = Browser(app, address=address)
    token = form_token(browser.get("/login").text)
    data = {"csrf_token": token, "login": login, "password": "wrong"}
    return [browser.client.post("/login", data=data).status_code for _ in range(times)]


def test_an_account_can_be_guessed_at_six_times_a_minute(strict_app: Flask) -> None:
    assert guess(strict_app, times=PER_ACCOUNT + 2) == [422] * PER_ACCOUNT + [429] * 2


def test_a_throttled_log_in_says_when_to_come_back(strict_app: Flask) -> None:
    guess(strict_app, times=PER_ACCOUNT)
    response = Browser(strict_app).log_in("alice")
    assert response.status_code == 429
    assert 1 <= int(response.headers["Retry-After"]) <= 61
    assert "Wait a moment" in response.text and "<!doctype html>" in response.text


def test_even_the_right_password_must_wait(strict_app: Flask) -> None:
    guess(strict_app, times=PER_ACCOUNT)
    browser = Browser(strict_app)
    assert browser.log_in("alice").status_code == 429
    assert browser.user is None


@pytest.mark.parametrize("spelling", ["ALICE", " alice ", "@alice", "@Alice"])
def test_another_spelling_is_the_same_account(strict_app: Flask, spelling: str) -> None:
    guess(strict_app, times=PER_ACCOUNT)
    assert guess(strict_app, spelling, times=1) == [429]


@pytest.mark.parametrize("spelling", ["alice@EXAMPLE.org", "alice@example\uff0eorg", "alice@\uff45xample.org"])
def test_another_spelling_of_an_email_address_is_the_same_account(strict_app: Flask, spelling: str) -> None:
    guess(strict_app, "alice@example.org", times=PER_ACCOUNT)
    assert guess(strict_app, spelling, times=1) == [429]


def test_another_address_is_the_same_account(strict_app: Flask) -> None:
    guess(strict_app, times=PER_ACCOUNT)
    assert guess(strict_app, times=1, address="203.0.113.9") == [429]


def test_an_account_that_does_not_exist_is_throttled_alike(strict_app: Flask) -> None:
    assert guess(strict_app, "nobody", times=PER_ACCOUNT + 1) == [422] * PER_ACCOUNT + [429]


def test_other_accounts_are_not_held_up(strict_app: Flask, bob: Member) -> None:
    guess(strict_app, times=PER_ACCOUNT)
    assert Browser(strict_app, address="198.51.100.1").log_in("bob").status_code == 303


def test_an_address_can_try_twenty_accounts_a_minute(strict_app: Flask) -> None:
    tries = [guess(strict_app, f"person{n}", times=1)[0] for n in range(PER_ADDRESS + 1)]
    assert tries == [422] * PER_ADDRESS + [429]
    assert guess(strict_app, "person0", times=1, address="203.0.113.9") == [422]


def test_the_pages_themselves_are_not_throttled(strict_app: Flask) -> None:
    browser = Browser(strict_app)
    assert {browser.get("/login").status_code for _ in range(PER_ADDRESS + 5)} == {200}


def test_signing_up_is_throttled_by_address(strict_app: Flask) -> None:
    browser = Browser(strict_app)
    fields = {"csrf_token": form_token(browser.get("/signup").text), "handle": "alice", "name": "x", "email": "x"}
    answers = [browser.client.post("/signup", data=fields).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


@pytest.mark.parametrize("page", ["/settings/password", "/settings/email", "/settings/delete"])
def test_a_password_cannot_be_guessed_from_inside_either(strict_app: Flask, alice: Member, page: str) -> None:
    inside = Member(strict_app, alice.id, "alice")
    fields = {"current_password": "wrong", "password": "a brand new password", "email": "new@example.org"}
    answers = [inside.send(page, fragment=False, **fields).status_code for _ in range(PER_ACCOUNT + 1)]
    assert answers == [422] * PER_ACCOUNT + [429]


def test_posting_is_throttled_and_htmx_gets_one_sentence(strict_app: Flask, alice: Member) -> None:
    inside = Member(strict_app, alice.id, "alice")
    answers = [inside.send("/posts", fragment=True, text=f"post {n}").status_code for n in range(20)]
    assert answers == [200] * 20
    response = inside.send("/posts", fragment=True, text="one too many")
    assert response.status_code == 429
    assert response.mimetype == "text/plain" and response.text.startswith("You’ve done that a lot")
    assert 1 <= int(response.headers["Retry-After"]) <= 61


def test_a_browser_cannot_escape_by_claiming_to_come_from_elsewhere(strict_app: Flask) -> None:
    browser = Browser(strict_app)
    token = form_token(browser.get("/login").text)
    answers = []
    for n in range(PER_ADDRESS + 1):
        data = {"csrf_token": token, "login": f"person{n}", "password": "wrong"}
        headers = {"X-Forwarded-For": f"192.0.2.{n}", "X-Real-IP": f"192.0.2.{n}", "Forwarded": f"for=192.0.2.{n}"}
        answers.append(browser.client.post("/login", data=data, headers=headers).status_code)
    assert answers[-1] == 429


def test_guessing_stays_slow_while_valkey_is_away(strict_app: Flask, servers: EphemeralServers) -> None:
    servers.valkey.kill()
    try:
        assert guess(strict_app, times=PER_ACCOUNT + 2) == [422] * PER_ACCOUNT + [429] * 2
        response = Browser(strict_app, address="203.0.113.9").log_in("alice")
        assert response.status_code == 429
        assert 1 <= int(response.headers["Retry-After"]) <= 61
        assert Browser(strict_app).log_in("nobody").status_code == 422
    finally:
        servers.valkey.start()
        redis.init_app(strict_app)  # closes the breaker, so that the next test need not wait


def test_limits_that_are_off_do_not_hold_anybody_up(app: Flask, alice: Member) -> None:
    assert set(guess(app, times=PER_ADDRESS + 2)) == {422}
    assert Browser(app).log_in("alice", PASSWORD).status_code == 303
