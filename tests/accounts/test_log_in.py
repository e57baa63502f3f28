"""Log in: by handle or e-mail, without hints for those who guess, and never to somebody else's page."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import select

from app.accounts.models import LoginSession, User
from app.extensions import db
from tests.accounts.browser import COOKIE, Browser, form_token, without_tokens
from tests.people import PASSWORD, Member
from tests.web.nasty import ELSEWHERE


@pytest.mark.parametrize(
    "login", ["alice", "ALICE", "@alice", "@Alice", " alice ", "alice@example.org", " Alice@EXAMPLE.org "]
)
def test_one_may_log_in_by_handle_or_email_in_any_case(app: Flask, alice: Member, login: str) -> None:
    browser = Browser(app)
    response = browser.log_in(login)
    assert (response.status_code, response.location) == (303, "/")
    assert browser.user == "alice"


@pytest.mark.parametrize("email", ["jose\u0301@example.org", "ada@bu\u0308cher.example", "ada@xn--bcher-kva.example"])
def test_one_may_log_in_with_the_email_address_as_one_typed_it_when_signing_up(
    app: Flask, mod: Member, email: str
) -> None:
    account = {"handle": "newcomer", "name": "New Comer", "email": email, "password": PASSWORD}
    assert Browser(app).submit("/signup", **account).status_code == 303
    browser = Browser(app)
    browser.log_in(email)
    assert browser.user == "newcomer"


def test_of_two_accounts_with_one_email_address_the_password_decides(app: Flask, mod: Member, alice: Member) -> None:
    account = {"handle": "second", "name": "Second", "email": "alice@example.org", "password": "the second password"}
    assert Browser(app).submit("/signup", **account).status_code == 303
    first, second = Browser(app), Browser(app)
    first.log_in("alice@example.org")
    second.log_in("alice@example.org", "the second password")
    assert (first.user, second.user) == ("alice", "second")


@pytest.mark.parametrize(
    ("login", "password"),
    [
        ("alice", "not her password"),
        ("nobody_here", PASSWORD),
        ("alice@example.org", "not her password"),
        ("nobody@example.org", PASSWORD),
        ("@", PASSWORD),
        ("alice", PASSWORD + " "),
        ("alice", PASSWORD.upper()),
        ("alice", "x" * 300),
        ("gone", PASSWORD),
        ("gone@example.org", PASSWORD),
    ],
)
def test_a_wrong_password_and_an_unknown_account_get_the_same_page(
    app: Flask, alice: Member, join: Callable[..., Member], login: str, password: str
) -> None:
    assert join("gone").send("/settings/delete", current_password=PASSWORD).status_code == 303
    browser, reference = Browser(app), Browser(app)
    response = browser.log_in(login, password)
    expected = reference.log_in("alice", "something wrong")
    assert response.status_code == expected.status_code == 422
    assert _without_login(response.text, login) == _without_login(expected.text, "alice")
    assert "Wrong handle, email or password." in response.text
    assert browser.user is None


def _without_login(page: str, login: str) -> str:
    assert f'value="{html.escape(login)}"' in page, "what was typed is kept"
    return without_tokens(page).replace(f'value="{html.escape(login)}"', "")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [({"login": ""}, "Enter your handle or email."), ({"password": ""}, "Enter your password.")],
)
def test_an_empty_field_is_named(app: Flask, alice: Member, fields: dict[str, str], sentence: str) -> None:
    response = Browser(app).submit("/login", **({"login": "alice", "password": PASSWORD} | fields))
    assert response.status_code == 422
    assert sentence in response.text


def test_the_password_is_never_in_the_page_again(app: Flask, alice: Member) -> None:
    assert "not her password" not in Browser(app).log_in("alice", "not her password").text


@pytest.mark.parametrize("page", ["/@alice", "/tags/tea?cursor=abc", "/settings/profile"])
def test_one_goes_on_to_the_page_one_wanted(app: Flask, alice: Member, page: str) -> None:
    assert Browser(app).log_in("alice", next=page).location == page


def test_the_page_one_wanted_survives_a_mistake(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    asked = browser.get("/settings/sessions")
    assert asked.location is not None
    wrong = browser.client.post(
        asked.location,
        data={"csrf_token": form_token(browser.get(asked.location).text), "login": "alice", "password": "wrong"},
    )
    assert '<input type="hidden" name="next" value="/settings/sessions">' in wrong.text


@pytest.mark.parametrize("address", [address for address in ELSEWHERE if "\x00" not in address])
def test_nobody_is_led_elsewhere(app: Flask, alice: Member, address: str) -> None:
    browser = Browser(app)
    page = browser.client.get("/login", query_string={"next": address}).text
    assert re.findall(r'name="next" value="([^"]*)"', page) == ["/"]
    assert browser.log_in("alice", next=address).location == "/"
    assert browser.client.get("/login", query_string={"next": address}).location == "/"


def test_the_cookie_from_before_is_worth_nothing_afterwards(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    browser.get("/login")
    before = browser.cookie
    assert before is not None
    browser.log_in("alice")
    planted = Browser(app)
    planted.cookie = before
    assert planted.user is None
    assert browser.user == "alice"


def test_a_token_from_before_is_worth_nothing_afterwards(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    token = form_token(browser.get("/login").text)
    browser.client.post("/login", data={"csrf_token": token, "login": "alice", "password": PASSWORD})
    assert browser.user == "alice"
    assert browser.client.post("/posts", data={"csrf_token": token, "text": "forged"}).status_code == 400


def test_each_log_in_is_a_session_of_its_own(app: Flask, alice: Member) -> None:
    browsers = [Browser(app) for _ in range(3)]
    tokens = set()
    for browser in browsers:
        browser.log_in("alice")
        with browser.client.session_transaction() as cookie:
            tokens.add(cookie["_user_id"])
    assert len(tokens) == 3
    assert str(alice.id) not in tokens


def test_only_the_hash_of_a_session_is_stored(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    browser.log_in("alice")
    with browser.client.session_transaction() as cookie:
        token = cookie["_user_id"]
    with app.app_context():
        hashes = db.session.scalars(select(LoginSession.token_hash)).all()
    assert hashes and token.encode() not in hashes


@pytest.mark.parametrize(("fields", "days"), [({"remember": "y"}, 60), ({}, 1)])
def test_a_session_lasts_as_long_as_was_asked_for(app: Flask, alice: Member, fields: dict[str, str], days: int) -> None:
    response = Browser(app).log_in("alice", **fields)
    [cookie] = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(f"{COOKIE}=")]
    assert ("Expires=" in cookie) == ("remember" in fields)
    with app.app_context():
        session = db.session.scalars(select(LoginSession).order_by(LoginSession.id.desc())).first()
        assert session is not None
        assert (session.expires_at - session.created_at).days == days


def test_a_weaker_hash_is_made_stronger_when_somebody_logs_in(app: Flask, alice: Member) -> None:
    weaker = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
    with app.app_context():
        db.session.get_one(User, alice.id).password_hash = weaker
        db.session.commit()
    assert Browser(app).log_in("alice").status_code == 303
    with app.app_context():
        stronger = db.session.get_one(User, alice.id).password_hash
    assert stronger != weaker
    assert Browser(app).log_in("alice").status_code == 303
    with app.app_context():
        assert db.session.get_one(User, alice.id).password_hash == stronger


def test_a_browser_can_be_used_by_one_person_after_the_other(app: Flask, alice: Member, bob: Member) -> None:
    browser = Browser(app)
    browser.log_in("alice")
    browser.submit("/logout", page="/")
    browser.log_in("bob")
    assert browser.user == "bob"


def test_the_log_in_page_needs_a_token(app: Flask, alice: Member) -> None:
    response = Browser(app).client.post("/login", data={"login": "alice", "password": PASSWORD})
    assert response.status_code == 400
    assert "reload the page" in response.text
