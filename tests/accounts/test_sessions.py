"""Log out, and see and end one's sessions on other devices."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.accounts import sessions
from app.accounts.models import LoginSession
from app.extensions import db
from tests.accounts.browser import Browser
from tests.people import Member

PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19.0 Mobile Safari/604.1"


@pytest.fixture
def laptop(app: Flask, alice: Member) -> Browser:
    return logged_in(app, "alice")


@pytest.fixture
def phone(app: Flask, alice: Member) -> Browser:
    return logged_in(app, "alice", address="203.0.113.7", agent=PHONE)


def logged_in(
    app: Flask, handle: str, *, address: str = "198.51.100.4", agent: str = "Mozilla/5.0 (X11; Linux) Firefox/140"
) -> Browser:
    browser = Browser(app, address=address, agent=agent)
    browser.log_in(handle, remember="y")
    assert browser.user == handle
    return browser


def session_ids(app: Flask, user_id: int) -> list[int]:
    with app.app_context():
        theirs = select(LoginSession.id).where(LoginSession.user_id == user_id).order_by(LoginSession.id)
        return list(db.session.scalars(theirs))


def test_logging_out_ends_the_session_everywhere_it_was_copied_to(app: Flask, laptop: Browser) -> None:
    copied = laptop.cookie
    assert copied is not None
    response = laptop.submit("/logout", page="/")
    assert (response.status_code, response.location) == (303, "/")
    assert "You’ve logged out." in laptop.get("/").text
    assert laptop.user is None
    thief = Browser(app)
    thief.cookie = copied
    assert thief.user is None


def test_logging_out_leaves_other_devices_logged_in(laptop: Browser, phone: Browser) -> None:
    laptop.submit("/logout", page="/")
    assert phone.user == "alice"


def test_logging_out_needs_a_token(laptop: Browser) -> None:
    assert laptop.client.post("/logout").status_code == 400
    assert laptop.client.get("/logout").status_code == 405
    assert laptop.user == "alice"


def test_the_list_names_each_device_and_marks_this_one(laptop: Browser, phone: Browser) -> None:
    page = laptop.get("/settings/sessions").text
    assert "Firefox on Linux" in page and "198.51.100.4" in page
    assert "Safari on iPhone" in page and "203.0.113.7" in page
    assert page.count("This device") == 1
    assert page.index("Firefox on Linux") < page.index("This device")


def test_the_list_shows_no_one_elses_devices(app: Flask, laptop: Browser, bob: Member) -> None:
    logged_in(app, "bob", address="192.0.2.99")
    assert "192.0.2.99" not in laptop.get("/settings/sessions").text


def test_a_revoked_browser_is_logged_out_on_its_next_request(
    app: Flask, alice: Member, laptop: Browser, phone: Browser
) -> None:
    page = laptop.get("/settings/sessions").text
    on_phone = session_ids(app, alice.id)[-1]
    assert f'action="/settings/sessions/{on_phone}/delete"' in page
    response = laptop.submit(f"/settings/sessions/{on_phone}/delete", page="/settings/sessions")
    assert (response.status_code, response.location) == (303, "/settings/sessions")
    assert phone.get("/settings/sessions").status_code == 303
    assert phone.user is None
    assert laptop.user == "alice"


def test_revoking_twice_is_the_same_as_once(app: Flask, alice: Member, laptop: Browser, phone: Browser) -> None:
    on_phone = session_ids(app, alice.id)[-1]
    answers = [
        laptop.submit(f"/settings/sessions/{on_phone}/delete", page="/settings/sessions").status_code for _ in range(2)
    ]
    assert answers == [303, 303]
    assert laptop.user == "alice"


def test_nobody_can_revoke_the_session_of_somebody_else(
    app: Flask, laptop: Browser, alice: Member, carol: Member
) -> None:
    before = session_ids(app, alice.id)
    for session_id in before:
        carol.send(f"/settings/sessions/{session_id}/delete")
    assert session_ids(app, alice.id) == before
    assert laptop.user == "alice"


def test_all_other_devices_can_be_logged_out_at_once(
    app: Flask, alice: Member, laptop: Browser, phone: Browser, carol: Member
) -> None:
    assert "Log out everywhere else" in laptop.get("/settings/sessions").text
    laptop.submit("/settings/sessions/delete", page="/settings/sessions")
    assert (laptop.user, phone.user) == ("alice", None)
    assert len(session_ids(app, alice.id)) == 1
    assert carol.get("/settings/sessions").status_code == 200
    assert "Log out everywhere else" not in laptop.get("/settings/sessions").text


def test_a_session_that_has_run_out_is_over_and_forgotten(app: Flask, alice: Member, laptop: Browser) -> None:
    newest = session_ids(app, alice.id)[-1]
    with app.app_context():
        past = (
            update(LoginSession).where(LoginSession.id == newest).values(expires_at=func.now() - timedelta(seconds=1))
        )
        db.session.execute(past)
        db.session.commit()
    assert laptop.user is None
    with app.app_context():
        sessions.forget_expired()
        db.session.commit()
    assert newest not in session_ids(app, alice.id)


def test_a_session_in_use_does_not_run_out(app: Flask, alice: Member, laptop: Browser) -> None:
    newest = session_ids(app, alice.id)[-1]
    with app.app_context():
        session = db.session.get_one(LoginSession, newest)
        session.last_seen_at -= timedelta(days=40)
        session.expires_at -= timedelta(days=40)
        db.session.commit()
    assert laptop.user == "alice"
    with app.app_context():
        session = db.session.get_one(LoginSession, newest)
        present = db.session.scalar(select(func.now()))
        assert present is not None
        assert present - session.last_seen_at < timedelta(minutes=1)
        assert session.expires_at - present > timedelta(days=59)


@pytest.mark.parametrize("agent", ["", "x" * 5000, "<script>alert(1)</script>", "Mozilla\xff\xfe", "ünï"])
def test_an_odd_browser_can_log_in_and_is_listed_harmlessly(app: Flask, alice: Member, agent: str) -> None:
    browser = logged_in(app, "alice", agent=agent.encode().decode("latin-1"))
    page = browser.get("/settings/sessions").text
    assert "Unknown browser" in page
    assert not re.search(r"<script>alert", page)


@pytest.mark.parametrize("cookie", ["", "x", "a.b.c", "eyJfdXNlcl9pZCI6IjEifQ.x.y", "\u00e9", "=" * 3000])
def test_a_forged_cookie_is_nobody(app: Flask, alice: Member, cookie: str) -> None:
    browser = Browser(app)
    browser.cookie = cookie
    assert browser.get("/").status_code == 200
    assert browser.user is None


def test_a_cookie_that_names_an_account_instead_of_a_session_is_nobody(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    with browser.client.session_transaction() as cookie:
        cookie["_user_id"] = str(alice.id)
        cookie["_fresh"] = True
    assert browser.user is None
