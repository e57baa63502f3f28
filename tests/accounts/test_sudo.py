"""Before something dangerous one shows again who one is; what was typed goes on from there."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app import create_app
from app.accounts.models import LoginSession, User
from app.core import clock
from app.extensions import db, limiter
from app.web.sudo import is_dangerous
from tests.accounts.browser import form_token
from tests.accounts.factor import move_clock, scan, switch_on
from tests.patience import PATIENT
from tests.people import PASSWORD, Member

ASKED = "Before we do this, please show us"


def forget(app: Flask, *, sessions_of: Member | None = None) -> None:
    """Let it be long ago that anybody showed who they are."""
    with app.app_context():
        theirs = update(LoginSession)
        if sessions_of:
            theirs = theirs.where(LoginSession.user_id == sessions_of.id)
        db.session.execute(theirs.values(proven_at=clock.now() - timedelta(minutes=16)))
        db.session.commit()


def role(app: Flask, member: Member) -> str:
    with app.app_context():
        return db.session.get_one(User, member.id).role


def hidden(page: str) -> list[tuple[str, str]]:
    """Return the fields that a page carries, but for its token."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)
    return [(name, html.unescape(value)) for name, value in found if name != "csrf_token"]


def test_what_is_dangerous_is_declared_beside_its_route(whole_app: Flask) -> None:
    assert {name for name, view in whole_app.view_functions.items() if is_dangerous(view)} == {
        "factors.offer_app",
        "factors.create_app",
        "factors.create_codes",
        "factors.delete_app",
        "passkeys.offer_passkey",
        "passkeys.create_passkey",
        "passkeys.delete_passkey",
        "roles.roles",
        "access.create_link",
        "access.delete_factor",
        "actions.act_on_person",
        "queue.act",
        "queue.act_on_many",
    }


def test_right_after_logging_in_nobody_is_asked(mod: Member, alice: Member, app: Flask) -> None:
    assert mod.send("/admin/roles", handle="alice", role="moderator").status_code == 303
    assert role(app, alice) == "moderator"


def test_later_one_is_asked_and_nothing_is_done_before(app: Flask, mod: Member, alice: Member) -> None:
    forget(app)
    response = mod.send("/admin/roles", handle="alice", role="moderator")
    assert response.status_code == 403 and ASKED in response.text
    assert role(app, alice) == "member"


def test_what_was_typed_goes_on_after_the_password(app: Flask, mod: Member, alice: Member) -> None:
    forget(app)
    reason = 'She\'s "kind" & <b>fair</b>'
    page = mod.send("/admin/roles?handle=x", handle="alice", role="moderator", reason=reason).text
    assert 'action="/admin/roles?handle=x"' in page
    assert hidden(page) == [("handle", "alice"), ("role", "moderator"), ("reason", reason)]
    data = {"csrf_token": form_token(page), **dict(hidden(page)), "proof": PASSWORD}
    assert mod.client.post("/admin/roles?handle=x", data=data).status_code == 303
    assert role(app, alice) == "moderator"
    assert html.escape(reason) in mod.get("/admin/log").text.replace("&#39;", "&#x27;").replace("&#34;", "&quot;")


def test_a_wrong_password_keeps_what_was_typed_and_does_nothing(app: Flask, mod: Member, alice: Member) -> None:
    forget(app)
    response = mod.send("/admin/roles", handle="alice", role="moderator", proof="wrong")
    assert response.status_code == 422 and "That’s not your password." in response.text
    assert hidden(response.text) == [("handle", "alice"), ("role", "moderator")]
    assert "wrong" not in re.sub(r"field-wrong|form-wrong", "", response.text)
    assert role(app, alice) == "member"


def test_a_wrong_password_is_refused_even_where_none_was_needed(app: Flask, mod: Member, alice: Member) -> None:
    assert mod.send("/admin/roles", handle="alice", role="moderator", proof="wrong").status_code == 422
    assert role(app, alice) == "member"


def test_a_field_that_was_sent_several_times_goes_on_several_times(app: Flask, mod: Member) -> None:
    forget(app)
    assert hidden(mod.send("/admin/roles", handle=["a", "b"]).text) == [("handle", "a"), ("handle", "b")]


def test_once_is_enough_for_a_quarter_of_an_hour(
    app: Flask, mod: Member, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget(app)
    assert mod.send("/admin/roles", handle="alice", role="moderator", proof=PASSWORD).status_code == 303
    assert mod.send("/settings/factors/new").status_code == 200
    move_clock(monkeypatch, timedelta(minutes=16))
    assert mod.send("/settings/factors/new").status_code == 403


def test_another_device_is_asked_for_itself(app: Flask, mod: Member) -> None:
    other = Member(app, mod.id, mod.handle)
    forget(app)
    assert mod.send("/settings/factors/new", proof=PASSWORD).status_code == 200
    assert other.send("/settings/factors/new").status_code == 403


def test_a_session_from_before_there_was_such_a_question_is_asked(app: Flask, mod: Member) -> None:
    with app.app_context():
        db.session.execute(update(LoginSession).values(proven_at=None))
        db.session.commit()
    assert mod.send("/settings/factors/new").status_code == 403


def test_a_code_of_the_app_does_as_well_and_works_once(
    app: Flask, mod: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone, codes = switch_on(mod)
    move_clock(monkeypatch, timedelta(minutes=1))
    forget(app)
    assert "a code from your app" in mod.send("/settings/factors/codes").text
    assert mod.send("/settings/factors/codes", proof=codes[0]).status_code == 422, "they are for when the phone is lost"
    assert mod.send("/settings/factors/codes", proof=phone.code()).status_code == 200
    forget(app)
    assert mod.send("/settings/factors/codes", proof=phone.code()).status_code == 422


def test_the_code_or_password_of_another_does_not_do(app: Flask, mod: Member, alice: Member) -> None:
    alice.send("/settings/password", current_password=PASSWORD, password="the password of alice")
    phone, _ = switch_on(alice)
    forget(app)
    for proof in ("the password of alice", phone.code(steps=1), "", " ", "x" * 5000):
        assert mod.send("/settings/factors/new", proof=proof).status_code == 422


def test_the_whole_way_to_a_factor_works_from_a_session_that_was_left_open(app: Flask, alice: Member) -> None:
    forget(app)
    page = alice.send("/settings/factors/new", proof=PASSWORD)
    phone, offer = scan(page.text)
    forget(app)
    asked = alice.send("/settings/factors", offer=offer, code=phone.code())
    assert asked.status_code == 403 and dict(hidden(asked.text))["offer"] == offer
    data = {"csrf_token": form_token(asked.text), **dict(hidden(asked.text)), "proof": PASSWORD}
    assert alice.client.post("/settings/factors", data=data).status_code == 200


def test_a_proof_needs_a_form_of_ours(app: Flask, mod: Member, alice: Member) -> None:
    forget(app)
    data = {"handle": "alice", "role": "moderator", "proof": PASSWORD}
    assert mod.client.post("/admin/roles", data=data).status_code == 400
    assert role(app, alice) == "member"


def test_who_may_not_do_it_is_not_asked_to_show_who_they_are(app: Flask, alice: Member, stranger: Member) -> None:
    forget(app)
    assert ASKED not in alice.send("/admin/roles", handle="alice", role="admin", proof=PASSWORD).text
    assert stranger.send("/settings/factors/new", proof=PASSWORD).status_code == 401


def test_htmx_is_told_in_one_sentence(app: Flask, mod: Member) -> None:
    forget(app)
    response = mod.send("/settings/factors/new", fragment=True)
    assert (response.status_code, response.mimetype) == (403, "text/plain")


def test_whose_session_it_is_cannot_be_guessed_at_for_long(app: Flask, mod: Member) -> None:
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    try:
        forget(app)
        member = Member(strict, mod.id, mod.handle)
        answers = [member.send("/settings/factors/new", proof="wrong").status_code for _ in range(4)]
        answers += [member.send("/admin/roles", proof="wrong").status_code for _ in range(4)]
        assert answers == [422] * 6 + [429] * 2, "whatever it is asked for"
    finally:
        limiter.reset()
        limiter.enabled = False
        with strict.app_context():
            db.engine.dispose()
