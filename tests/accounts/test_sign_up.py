"""Sign up: handles are unique and safe, names readable, and nobody learns whose e-mail is known."""

from __future__ import annotations

from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.handles import RESERVED
from app.accounts.models import LoginSession, User
from app.extensions import db
from tests.accounts.browser import COOKIE, Browser, at_once, form_token, without_tokens
from tests.people import PASSWORD, Member

ACCOUNT = {"handle": "newcomer", "name": "New Comer", "email": "new@example.org", "password": PASSWORD}


@pytest.fixture
def newcomer(app: Flask, mod: Member) -> Browser:
    """Somebody without an account, on a site that has been set up."""
    return Browser(app)


def find(app: Flask, handle: str) -> User | None:
    with app.app_context():
        return db.session.scalars(select(User).where(func.lower(User.handle) == handle.lower())).one_or_none()


def test_a_new_person_is_logged_in_and_at_home(app: Flask, newcomer: Browser) -> None:
    response = newcomer.submit("/signup", **ACCOUNT)
    assert (response.status_code, response.location) == (303, "/")
    assert newcomer.user == "newcomer"
    user = find(app, "newcomer")
    assert user is not None and user.role == "member"


def test_a_password_is_kept_as_an_argon2_hash_only(app: Flask, newcomer: Browser) -> None:
    newcomer.submit("/signup", **ACCOUNT)
    user = find(app, "newcomer")
    assert user is not None and user.password_hash.startswith("$argon2id$")
    assert PASSWORD not in repr(vars(user))


def test_the_session_of_a_new_person_ends_with_the_browser(app: Flask, newcomer: Browser) -> None:
    response = newcomer.submit("/signup", **ACCOUNT)
    [cookie] = [line for line in response.headers.getlist("Set-Cookie") if line.startswith(COOKIE)]
    assert "Expires" not in cookie and "Max-Age" not in cookie
    with app.app_context():
        user = db.session.scalars(select(User).where(User.handle == "newcomer")).one()
        session = db.session.scalars(select(LoginSession).where(LoginSession.user_id == user.id)).one()
        assert (session.expires_at - session.created_at).total_seconds() == 24 * 3600


@pytest.mark.parametrize(
    ("typed", "handle"),
    [
        ("ab", "ab"),
        ("a" * 30, "a" * 30),
        ("A_b9", "A_b9"),
        ("@ada", "ada"),
        ("  ada ", "ada"),
        ("__x", "__x"),
        ("99", "99"),
    ],
)
def test_handles_are_letters_digits_and_underscores(app: Flask, newcomer: Browser, typed: str, handle: str) -> None:
    assert newcomer.submit("/signup", **(ACCOUNT | {"handle": typed})).status_code == 303
    user = find(app, handle)
    assert user is not None and user.handle == handle


@pytest.mark.parametrize(
    "handle",
    [
        "",
        " ",
        "a",
        "a" * 31,
        "a b",
        "a-b",
        "a.b",
        "a/b",
        "ád",
        "аdа",
        "ａｂ",
        "a\u200bb",
        "ab\ncd",
        "a@b",
        "@@ab",
        "<b>",
        "٣٤",
    ],
)
def test_other_handles_are_refused(app: Flask, newcomer: Browser, handle: str) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"handle": handle}))
    assert response.status_code == 422
    assert 'id="handle-error"' in response.text
    assert find(app, handle) is None


def test_handles_that_would_pass_for_the_site_are_refused(app: Flask, newcomer: Browser) -> None:
    for handle in [*sorted(RESERVED), "Admin", "ADMIN", "_admin_", "admin__", "__"]:
        response = newcomer.submit("/signup", **(ACCOUNT | {"handle": handle}))
        assert response.status_code == 422, handle
        assert "That handle is reserved." in response.text
        assert find(app, handle) is None


def test_every_page_that_begins_with_a_word_has_that_word_reserved(app: Flask) -> None:
    words = {word for rule in app.url_map.iter_rules() if (word := rule.rule.split("/")[1]).isalnum()}
    assert words - RESERVED == set()


@pytest.mark.parametrize("handle", ["alice", "Alice", "ALICE", "@aLiCe"])
def test_a_handle_is_taken_in_every_case(newcomer: Browser, alice: Member, handle: str) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"handle": handle}))
    assert response.status_code == 422
    assert "That handle is taken." in response.text
    assert newcomer.user is None


def test_of_two_who_want_one_handle_at_once_only_one_gets_it(app: Flask, mod: Member) -> None:
    browsers = [Browser(app), Browser(app)]
    calls = [
        partial(
            browser.client.post,
            "/signup",
            data={**ACCOUNT, "handle": handle, "csrf_token": form_token(browser.get("/signup").text)},
        )
        for browser, handle in zip(browsers, ["Racer", "rACER"], strict=True)
    ]
    assert sorted(response.status_code for response in at_once(*calls)) == [303, 422]
    assert sorted(browser.user or "" for browser in browsers)[0] == ""
    assert find(app, "racer") is not None


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  Ada  ", "Ada"),
        ("Ada\n \tLovelace", "Ada Lovelace"),
        ("Ada\u202eevil", "Adaevil"),
        ("<b>Ada</b>", "&lt;b&gt;Ada&lt;/b&gt;"),
        ("👨‍👩‍👧‍👦" * 50, "👨‍👩‍👧‍👦" * 50),
    ],
)
def test_names_are_shown_trimmed_and_harmless(newcomer: Browser, typed: str, shown: str) -> None:
    assert newcomer.submit("/signup", **(ACCOUNT | {"name": typed})).status_code == 303
    assert f'<h1 class="profile-name">{shown}</h1>' in newcomer.get("/@newcomer").text


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200b", "\u3164", "x" * 51, "x" + "\u0316" * 400])
def test_names_that_show_nothing_or_too_much_are_refused(app: Flask, newcomer: Browser, name: str) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"name": name}))
    assert response.status_code == 422
    assert 'id="name-error"' in response.text
    assert find(app, "newcomer") is None


@pytest.mark.parametrize(
    "email", ["", "x", "@", "a@", "@b.example", "a b@example.org", "a@b", "a@@example.org", "a" * 255]
)
def test_what_is_no_email_address_is_refused(app: Flask, newcomer: Browser, email: str) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"email": email}))
    assert response.status_code == 422
    assert 'id="email-error"' in response.text
    assert find(app, "newcomer") is None


@pytest.mark.parametrize(
    "password", ["", "1234567", "password", "PassWord1", "aaaaaaaaaaaa", "abababababab", "x" * 250 + "yz12345"]
)
def test_passwords_that_would_be_guessed_first_are_refused(app: Flask, newcomer: Browser, password: str) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"password": password}))
    assert response.status_code == 422
    assert 'id="password-error"' in response.text
    assert find(app, "newcomer") is None


@pytest.mark.parametrize("password", ["8 chars!", "ü" * 4 + "öäß€", "correct horse battery staple", "ab" * 127 + "cd"])
def test_whoever_signs_up_can_log_in_with_the_same_password(app: Flask, newcomer: Browser, password: str) -> None:
    assert newcomer.submit("/signup", **(ACCOUNT | {"password": password})).status_code == 303
    again = Browser(app)
    again.log_in("newcomer", password)
    assert again.user == "newcomer"


def test_a_mistake_keeps_what_was_typed_but_for_the_password(newcomer: Browser) -> None:
    response = newcomer.submit("/signup", **(ACCOUNT | {"handle": "not good", "name": 'Quote " & <b>'}))
    assert response.status_code == 422
    assert 'value="not good"' in response.text
    assert 'value="Quote &#34; &amp; &lt;b&gt;"' in response.text
    assert 'value="new@example.org"' in response.text
    assert PASSWORD not in response.text


@pytest.mark.parametrize("email", ["  New@EXAMPLE.Org ", "new@example.org"])
def test_an_email_address_is_kept_in_one_spelling(app: Flask, newcomer: Browser, email: str) -> None:
    assert newcomer.submit("/signup", **(ACCOUNT | {"email": email})).status_code == 303
    user = find(app, "newcomer")
    assert user is not None and user.email == "new@example.org"


def test_a_known_email_address_is_answered_like_an_unknown_one(app: Flask, mod: Member, alice: Member) -> None:
    answers = [
        Browser(app).submit("/signup", **(ACCOUNT | account)) for account in known_and_unknown("alice@example.org")
    ]
    assert [(answer.status_code, answer.location, answer.text) for answer in answers] == [
        (303, "/", answers[0].text)
    ] * 2
    assert sorted(answers[0].headers.keys()) == sorted(answers[1].headers.keys())


def test_nor_does_a_refusal_tell_whether_the_email_address_is_known(app: Flask, mod: Member, alice: Member) -> None:
    pages = []
    for account in known_and_unknown("Alice@example.org"):
        answer = Browser(app).submit("/signup", **(ACCOUNT | account | {"handle": "alice"}))
        assert answer.status_code == 422
        pages.append(without_tokens(answer.text).replace(account["email"], "EMAIL"))
    assert pages[0] == pages[1]


def known_and_unknown(known: str) -> list[dict[str, str]]:
    return [{"handle": "one_two", "email": known}, {"handle": "two_one", "email": "nobody@example.org"}]


def test_a_closed_site_takes_nobody_in(app: Flask, mod: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = Browser(app)
    token = form_token(browser.get("/signup").text)
    monkeypatch.setitem(app.config, "SIGNUPS_OPEN", False)
    assert browser.get("/signup").status_code == 403
    response = browser.client.post("/signup", data={"csrf_token": token, **ACCOUNT})
    assert response.status_code == 403
    assert "isn’t accepting new accounts" in response.text
    assert find(app, "newcomer") is None


@pytest.mark.parametrize("path", ["/", "/login", "/explore", "/@maud"])
def test_a_closed_site_offers_no_way_to_sign_up(
    app: Flask, mod: Member, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    assert 'href="/signup"' in Browser(app).get(path).text
    monkeypatch.setitem(app.config, "SIGNUPS_OPEN", False)
    assert 'href="/signup"' not in Browser(app).get(path).text
