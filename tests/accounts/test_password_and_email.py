"""Change one's password and e-mail: only with the password, and a thief is out afterwards."""

from __future__ import annotations

import pytest
from flask import Flask

from app.accounts.models import User
from app.extensions import db
from tests.accounts.browser import Browser, without_tokens
from tests.people import PASSWORD, Member

NEW = "a brand new password"


def account(app: Flask, member: Member) -> User:
    with app.app_context():
        return db.session.get_one(User, member.id)


def test_a_new_password_logs_out_all_other_devices_and_keeps_this_one(app: Flask, alice: Member) -> None:
    here, elsewhere = Browser(app), Browser(app)
    here.log_in("alice")
    elsewhere.log_in("alice")
    response = here.submit("/settings/password", current_password=PASSWORD, password=NEW)
    assert (response.status_code, response.location) == (303, "/settings/password")
    assert "Password changed." in here.get("/settings/password").text
    assert (here.user, elsewhere.user) == ("alice", None)


def test_only_the_new_password_opens_the_door(app: Flask, alice: Member) -> None:
    alice.send("/settings/password", current_password=PASSWORD, password=NEW)
    assert Browser(app).log_in("alice", PASSWORD).status_code == 422
    assert Browser(app).log_in("alice", NEW).status_code == 303


def test_other_people_stay_logged_in(app: Flask, alice: Member, bob: Member) -> None:
    alice.send("/settings/password", current_password=PASSWORD, password=NEW)
    assert bob.get("/settings/password").status_code == 200


@pytest.mark.parametrize(
    ("current", "new", "sentence"),
    [
        ("wrong", NEW, "That’s not your password."),
        ("", NEW, "Enter your current password."),
        ("x" * 100_000, NEW, "That’s not your password."),
        (PASSWORD + "x" * 256, NEW, "That’s not your password."),
        (PASSWORD, "", "Choose a new password."),
        (PASSWORD, "short", "Use at least 8 characters."),
        (PASSWORD, "password123", "too easy to guess"),
        (PASSWORD, "abc" * 100, "Use 256 characters or fewer."),
    ],
)
def test_a_mistake_changes_nothing_and_is_named(
    app: Flask, alice: Member, current: str, new: str, sentence: str
) -> None:
    before = account(app, alice).password_hash
    response = alice.send("/settings/password", current_password=current, password=new)
    assert response.status_code == 422
    assert sentence in response.text
    assert account(app, alice).password_hash == before


@pytest.mark.parametrize("path", ["/settings/password", "/settings/email", "/settings/delete"])
def test_passwords_are_never_in_the_page_again(alice: Member, path: str) -> None:
    response = alice.send(path, current_password="my wrong password", password="my new password", email="x")
    assert response.status_code == 422
    assert "my wrong password" not in response.text and "my new password" not in response.text


def test_a_new_email_address_is_kept_in_one_spelling_and_opens_the_door(app: Flask, alice: Member) -> None:
    response = alice.send("/settings/email", email=" New.Alice@EXAMPLE.org ", current_password=PASSWORD)
    assert (response.status_code, response.location) == (303, "/settings/email")
    assert account(app, alice).email == "new.alice@example.org"
    assert "new.alice@example.org" in alice.get("/settings/email").text
    assert Browser(app).log_in("new.alice@example.org").status_code == 303
    assert Browser(app).log_in("alice@example.org").status_code == 422


@pytest.mark.parametrize(
    ("email", "password", "sentence"),
    [
        ("new@example.org", "wrong", "That’s not your password."),
        ("new@example.org", "", "Enter your password."),
        ("nowhere", PASSWORD, "That doesn’t look like an email address."),
        ("", PASSWORD, "Enter your email address."),
        ("a" * 300 + "@example.org", PASSWORD, "That’s too long."),
    ],
)
def test_a_mistake_keeps_the_old_address_and_what_was_typed(
    app: Flask, alice: Member, email: str, password: str, sentence: str
) -> None:
    response = alice.send("/settings/email", email=email, current_password=password)
    assert response.status_code == 422
    assert sentence in response.text
    assert f'value="{email}"' in response.text
    assert account(app, alice).email == "alice@example.org"


def test_changing_to_a_known_address_is_answered_like_changing_to_an_unknown_one(alice: Member, bob: Member) -> None:
    pages = []
    for email in ("bob@example.org", "nobody@example.org"):
        response = alice.send("/settings/email", email=email, current_password=PASSWORD)
        assert (response.status_code, response.location) == (303, "/settings/email")
        pages.append(without_tokens(alice.get("/settings/email").text).replace(email, "EMAIL"))
    assert pages[0] == pages[1]


def test_somebody_with_the_address_of_another_still_gets_only_their_own_account(
    app: Flask, alice: Member, bob: Member
) -> None:
    bob.send("/settings/password", current_password=PASSWORD, password=NEW)
    bob.send("/settings/email", email="alice@example.org", current_password=NEW)
    as_alice, as_bob = Browser(app), Browser(app)
    as_alice.log_in("alice@example.org", PASSWORD)
    as_bob.log_in("alice@example.org", NEW)
    assert (as_alice.user, as_bob.user) == ("alice", "bob")


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_looks_are_kept_in_a_cookie(alice: Member, theme: str) -> None:
    assert alice.send("/settings/appearance", theme=theme).status_code == 303
    assert f'<html lang="en" data-theme="{theme}">' in alice.get("/").text


def test_density_is_kept_beside_the_theme_and_one_changes_without_the_other(alice: Member) -> None:
    assert alice.send("/settings/appearance", theme="dark", density="compact").status_code == 303
    assert '<html lang="en" data-theme="dark" data-density="compact">' in alice.get("/").text
    assert alice.send("/settings/appearance", theme="light").status_code == 303
    for path in ("/", "/explore", "/settings/appearance", "/no-such-page"):
        assert '<html lang="en" data-theme="light" data-density="compact">' in alice.get(path).text
    assert alice.send("/settings/appearance", density="comfortable").status_code == 303
    assert '<html lang="en" data-theme="light">' in alice.get("/").text


@pytest.mark.parametrize("theme", ["", "pink", '"><script>', "x" * 1000])
def test_looks_that_do_not_exist_are_refused(alice: Member, theme: str) -> None:
    response = alice.send("/settings/appearance", theme=theme)
    assert response.status_code in {400, 422}
    assert 'data-theme="auto"' in alice.get("/").text


def test_of_two_looks_one_that_does_not_exist_changes_neither(alice: Member) -> None:
    assert alice.send("/settings/appearance", theme="dark", density="tiny").status_code == 400
    assert alice.send("/settings/appearance").status_code == 400
    assert '<html lang="en" data-theme="auto">' in alice.get("/").text


def test_a_forged_looks_cookie_is_ignored(alice: Member) -> None:
    alice.client.set_cookie("density", '"><script>alert(1)</script>')
    alice.client.set_cookie("theme", '"><script>alert(1)</script>')
    assert '<html lang="en" data-theme="auto">' in alice.get("/").text
