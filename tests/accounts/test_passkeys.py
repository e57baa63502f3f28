"""Passkeys: a log-in without password, or after it; each answer once, for one browser, at the site's own address."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import delete, select, update

from app.accounts.models import User
from app.accounts.passkeys.challenges import forget_used
from app.accounts.passkeys.models import Passkey, UsedChallenge
from app.accounts.passkeys.party import Party, party
from app.accounts.standing import FOREVER
from app.core import clock
from app.extensions import db
from tests.accounts.authenticator import ORIGIN, Key, add, ask, log_in, offered
from tests.accounts.browser import Browser, at_once, form_token
from tests.accounts.factor import give, move_clock, recovery_codes, switch_on
from tests.accounts.test_factors import after_password
from tests.accounts.test_sudo import forget
from tests.mailbox import configured
from tests.people import PASSWORD, Member
from tests.web.nasty import ELSEWHERE


@pytest.fixture(autouse=True)
def site(app: Flask) -> Iterator[None]:
    with configured(app, SITE_URL="http://127.0.0.1:8000"):
        yield


def passkey_id(app: Flask, key: Key) -> int:
    with app.app_context():
        return db.session.scalars(select(Passkey.id).where(Passkey.credential_id == key.id)).one()


def number_of(app: Flask, model: type) -> int:
    with app.app_context():
        return db.session.scalar(select(db.func.count()).select_from(model)) or 0


# ---- Logging in


def test_a_passkey_logs_in_without_a_password(app: Flask, alice: Member) -> None:
    browser, response = log_in(app, add(alice))
    assert response.location == "/"
    assert browser.user == "alice"


def test_it_is_both_factors_so_no_code_is_asked_for(app: Flask, alice: Member) -> None:
    switch_on(alice)
    browser, _ = log_in(app, add(alice))
    assert browser.user == "alice"


def test_it_must_have_checked_who_holds_it(app: Flask, alice: Member) -> None:
    browser, response = log_in(app, add(alice), verified=False)
    assert response.status_code == 422 and "That passkey doesn’t open an account here" in response.text
    assert browser.user is None


@pytest.mark.parametrize("changes", [{"anonymous": True}, {"owner": "OTk5OTk5"}, {"origin": "https://evil.example"}])
def test_what_names_another_person_or_site_opens_nothing(app: Flask, alice: Member, changes: dict[str, Any]) -> None:
    key = add(alice)
    browser, response = log_in(app, key, **changes)
    assert response.status_code == 422 and browser.user is None


def test_a_key_for_another_site_opens_nothing(app: Flask, alice: Member) -> None:
    key = add(alice)
    key.rp = "evil.example"
    assert log_in(app, key)[1].status_code == 422


def test_a_key_that_nobody_added_opens_nothing(app: Flask, alice: Member) -> None:
    key = Key()
    key.owner = add(alice).owner
    assert log_in(app, key)[1].status_code == 422


def test_the_signature_of_another_key_opens_nothing(app: Flask, alice: Member) -> None:
    key, forged = add(alice), Key()
    forged.id, forged.owner = key.id, key.owner
    assert log_in(app, forged)[1].status_code == 422


def test_an_answer_is_accepted_once_even_with_the_cookie_from_before(app: Flask, alice: Member) -> None:
    key, browser = add(alice), Browser(app)
    options, token, cookie = ask(browser), form_token(browser.get("/login").text), browser.cookie or ""
    answer = key.sign(options)
    for expected in (303, 422):
        browser.cookie = cookie
        response = browser.client.post("/login/passkey", data={"csrf_token": token, "answer": answer})
        assert response.status_code == expected
    key.count += 5
    browser.cookie = cookie
    data = {"csrf_token": token, "answer": key.sign(options)}
    assert browser.client.post("/login/passkey", data=data).status_code == 422, "a challenge is signed once"


def test_of_two_uses_of_an_answer_at_once_one_is_accepted(app: Flask, alice: Member) -> None:
    key, first = add(alice), Browser(app)
    options, token = ask(first), form_token(first.get("/login").text)
    second = Browser(app)
    second.cookie = first.cookie or ""
    data = {"csrf_token": token, "answer": key.sign(options, counts=0)}  # a key that does not count
    answers = at_once(*(lambda each=each: each.client.post("/login/passkey", data=data) for each in (first, second)))
    assert sorted(answer.status_code for answer in answers) == [303, 422]


def test_an_answer_belongs_to_the_browser_that_was_asked(app: Flask, alice: Member) -> None:
    answer = add(alice).sign(ask(Browser(app)))
    other = Browser(app)
    ask(other)
    assert other.submit("/login/passkey", page="/login", answer=answer).status_code == 422


def test_an_answer_for_one_thing_is_none_for_another(app: Flask, alice: Member) -> None:
    key = add(alice)
    browser = after_password(app)
    options = ask(browser, "code", "/login/code")
    assert browser.submit("/login/passkey", page="/login", answer=key.sign(options)).status_code == 422
    assert browser.user is None


def test_after_ten_minutes_an_answer_is_too_late(app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    key, browser = add(alice), Browser(app)
    answer = key.sign(ask(browser))
    move_clock(monkeypatch, timedelta(minutes=11))
    assert browser.submit("/login/passkey", page="/login", answer=answer).status_code == 422


def test_a_key_that_counts_backwards_is_refused_and_noted(
    app: Flask, alice: Member, caplog: pytest.LogCaptureFixture
) -> None:
    key = add(alice)
    key.count = 7
    assert log_in(app, key)[1].status_code == 303
    for count in (7, 3, 0):
        key.count = count
        with caplog.at_level(logging.WARNING):
            assert log_in(app, key, counts=0)[1].status_code == 422
    assert "counts backwards" in caplog.text


def test_a_key_that_never_counts_goes_on_working(app: Flask, alice: Member) -> None:
    key = add(alice)
    for _ in range(2):
        assert log_in(app, key, counts=0)[1].status_code == 303


def test_a_deleted_person_does_not_get_in(app: Flask, alice: Member) -> None:
    key = add(alice)
    with app.app_context():
        db.session.execute(update(User).where(User.id == alice.id).values(deleted_at=clock.now()))
        db.session.commit()
    assert log_in(app, key)[1].status_code == 422


@pytest.mark.parametrize(
    "answer",
    ["", "{}", "[]", "null", "1", "x" * 30_000, '{"id": "a", "rawId": "a", "type": "public-key", "response": {}}']
    + ['{"id":"YQ","rawId":"YQ","type":"public-key","response":' + part + "}" for part in ('"x"', "[]", "null")]
    + ['{"id":"YQ","rawId":"YQ","type":"public-key","response":{"clientDataJSON":"YQ","authenticatorData":"YQ"}}'],
)
def test_nonsense_opens_nothing_and_adds_nothing(app: Flask, alice: Member, answer: str) -> None:
    add(alice)
    browser = Browser(app)
    ask(browser)
    assert browser.submit("/login/passkey", page="/login", answer=answer, login="alice").status_code == 422
    alice.send("/settings/factors/passkeys/new")
    assert alice.send("/settings/factors/passkeys", name="x", answer=answer).status_code == 422


def test_a_session_from_before_is_worth_nothing_afterwards(app: Flask, alice: Member) -> None:
    key, browser = add(alice), Browser(app)
    answer = key.sign(ask(browser))
    before = browser.cookie
    browser.submit("/login/passkey", page="/login", answer=answer)
    assert browser.user == "alice"
    browser.cookie = before or ""
    assert browser.user is None


@pytest.mark.parametrize("where", [address for address in ELSEWHERE if "\x00" not in address])
def test_one_is_led_only_to_pages_of_this_site(app: Flask, alice: Member, where: str) -> None:
    key, browser = add(alice), Browser(app)
    answer = key.sign(ask(browser))
    assert browser.submit("/login/passkey", page="/login", answer=answer, next=where).location == "/"


# ---- After the password


def test_a_passkey_is_asked_for_after_the_password(app: Flask, alice: Member) -> None:
    key, browser = add(alice), after_password(app)
    assert "Use your passkey, or enter one of your recovery codes" in browser.get("/login/code").text
    options = ask(browser, "code", "/login/code")
    assert [each["id"] for each in options["allowCredentials"]] and options["userVerification"] == "preferred"
    answer = key.sign(options, verified=False)
    assert (
        browser.submit("/login/code/passkey", page="/login/code", answer=answer, next="/explore").location == "/explore"
    )
    assert browser.user == "alice"


def test_another_persons_passkey_is_no_second_factor(app: Flask, alice: Member, bob: Member) -> None:
    add(alice)
    key, browser = add(bob), after_password(app)
    answer = key.sign(ask(browser, "code", "/login/code"))
    response = browser.submit("/login/code/passkey", page="/login/code", answer=answer)
    assert response.status_code == 422 and "enter a code" in response.text
    assert browser.user is None


def test_the_first_passkey_comes_with_recovery_codes_that_work(app: Flask, alice: Member) -> None:
    options = offered(alice.send("/settings/factors/passkeys/new").text)
    page = alice.send("/settings/factors/passkeys", name="Mine", answer=Key().make(options)).text
    codes = recovery_codes(page)
    assert len(codes) == 10 and "If you lose your passkey" in page
    browser = after_password(app)
    assert give(browser, codes[0]).status_code == 303 and browser.user == "alice"
    assert "You have <b>9</b> recovery codes left" in alice.get("/settings/factors").text
    add(alice, name="Another")
    assert "You have <b>9</b>" in alice.get("/settings/factors").text, "no new ones"


def test_recovery_codes_stay_until_the_last_factor_goes(app: Flask, alice: Member) -> None:
    switch_on(alice)
    key = add(alice)
    alice.send("/settings/factors/delete")
    assert "You have <b>10</b>" in alice.get("/settings/factors").text
    alice.send(f"/settings/factors/passkeys/{passkey_id(app, key)}/delete")
    assert Browser(app).log_in("alice").location == "/"


def test_what_is_asked_depends_on_who_asks(app: Flask, alice: Member) -> None:
    add(alice)
    browser = Browser(app)
    assert not ask(browser).get("allowCredentials"), "a stranger is told nothing of anybody"
    token = form_token(browser.get("/login").text)
    for purpose in ("code", "proof", "add", "x", ""):
        data = {"csrf_token": token, "purpose": purpose, "login": "alice"}
        assert browser.client.post("/login/passkey/ask", data=data).status_code == 400


# ---- Asking again


def test_a_passkey_shows_who_one_is(app: Flask, alice: Member) -> None:
    key = add(alice)
    forget(app)
    assert "Use a passkey" in alice.send("/settings/factors/codes").text
    options = alice.send("/login/passkey/ask", purpose="proof").json or {}
    assert options["userVerification"] == "required"
    answer = key.sign(options)
    assert alice.send("/settings/factors/codes", proof="", proof_passkey=answer).status_code == 200
    forget(app)
    assert alice.send("/settings/factors/codes", proof="", proof_passkey=answer).status_code == 422, "once"


def test_one_that_did_not_check_who_holds_it_or_anothers_does_not(app: Flask, alice: Member, bob: Member) -> None:
    key, other = add(alice), add(bob)
    forget(app)
    for signed_by, verified in ((key, False), (other, True)):
        options = alice.send("/login/passkey/ask", purpose="proof").json or {}
        proof = signed_by.sign(options, verified=verified)
        response = alice.send("/settings/factors/codes", proof="", proof_passkey=proof)
        assert response.status_code == 422 and "That passkey didn’t work." in response.text


# ---- Those that a person has


def test_they_are_listed_with_when_they_were_added_and_used(app: Flask, alice: Member) -> None:
    key = add(alice, name="  My <b>phone</b> ")
    add(alice, name="My stick")
    page = alice.get("/settings/factors").text
    assert "My &lt;b&gt;phone&lt;/b&gt;" in page and "My stick" in page
    assert page.count("not used yet") == 2
    log_in(app, key)
    assert alice.get("/settings/factors").text.count("last used") == 1


def test_one_can_be_renamed(app: Flask, alice: Member) -> None:
    path = f"/settings/factors/passkeys/{passkey_id(app, add(alice))}"
    assert 'value="My phone"' in alice.get(path).text
    for bad in ("", "x" * 51):
        assert alice.send(path, name=bad).status_code == 422
    assert alice.send(path, name="Old phone").status_code == 303
    assert "Old phone" in alice.get("/settings/factors").text


def test_one_that_was_removed_opens_nothing(app: Flask, alice: Member) -> None:
    key = add(alice)
    path = f"/settings/factors/passkeys/{passkey_id(app, key)}/delete"
    forget(app)
    assert alice.send(path).status_code == 403
    assert alice.send(path, proof=PASSWORD).status_code == 303
    assert log_in(app, key)[1].status_code == 422
    assert alice.send(path).status_code == 404


def test_nobody_sees_renames_or_removes_those_of_another(app: Flask, alice: Member, bob: Member) -> None:
    key = add(alice)
    path = f"/settings/factors/passkeys/{passkey_id(app, key)}"
    assert bob.get(path).status_code == 404
    assert bob.send(path, name="Mine").status_code == 404
    assert bob.send(f"{path}/delete").status_code == 404
    assert "My phone" in alice.get("/settings/factors").text and "My phone" not in bob.get("/settings/factors").text
    assert log_in(app, key)[1].status_code == 303


def test_a_passkey_is_added_once_and_to_one_account(app: Flask, alice: Member, bob: Member) -> None:
    key = add(alice)
    for member in (alice, bob):
        options = offered(member.send("/settings/factors/passkeys/new").text)
        response = member.send("/settings/factors/passkeys", name="x", answer=key.make(options))
        assert response.status_code == 422 and "added already" in response.text


def test_what_was_made_for_one_session_is_not_added_by_another(app: Flask, alice: Member, bob: Member) -> None:
    options = offered(alice.send("/settings/factors/passkeys/new").text)
    bob.send("/settings/factors/passkeys/new")
    assert bob.send("/settings/factors/passkeys", name="x", answer=Key().make(options)).status_code == 422
    answer = Key().make(options, origin="https://evil.example")
    assert alice.send("/settings/factors/passkeys", name="Kept <name>", answer=answer).status_code == 422
    assert number_of(app, Passkey) == 0


def test_a_name_that_was_typed_is_still_there_when_something_went_wrong(alice: Member) -> None:
    response = alice.send("/settings/factors/passkeys", name="My phone", answer="{}")
    assert response.status_code == 422 and 'value="My phone"' in response.text and "Try again" in response.text


# ---- Who must have one


def test_a_passkey_counts_as_the_factor_that_a_role_needs(app: Flask, mod: Member) -> None:
    with configured(app, REQUIRE_STAFF_FACTOR=True):
        assert mod.get("/admin/roles").status_code == 303
        key = add(mod)
        assert mod.get("/admin/roles").status_code == 200
        path = f"/settings/factors/passkeys/{passkey_id(app, key)}/delete"
        assert "the only one you have" in mod.get(path.removesuffix("/delete")).text
        refused = mod.send(path)
        assert refused.status_code == 403 and "the only one you have" in refused.text
        assert log_in(app, key)[1].status_code == 303, "it is still there"
        add(mod, name="Another")
        assert mod.send(path).status_code == 303


def test_of_two_last_factors_that_go_at_once_one_stays(app: Flask, mod: Member) -> None:
    ids = [passkey_id(app, add(mod, name=name)) for name in "ab"]
    tabs = [Member(app, mod.id, mod.handle) for _ in ids]
    with configured(app, REQUIRE_STAFF_FACTOR=True):
        gone = at_once(
            *(
                lambda tab=tab, which=which: tab.send(f"/settings/factors/passkeys/{which}/delete")
                for tab, which in zip(tabs, ids, strict=True)
            )
        )
    assert sorted(response.status_code for response in gone) == [303, 403]
    assert number_of(app, Passkey) == 1


def test_an_admin_who_helps_in_switches_passkeys_off_too(app: Flask, mod: Member, alice: Member) -> None:
    key = add(alice)
    assert mod.send("/admin/access/factor/delete", handle="alice", reason="Lost it").status_code == 303
    assert log_in(app, key)[1].status_code == 422
    assert Browser(app).log_in("alice").location == "/"


# ---- Where they work


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:8000", Party("localhost", ORIGIN)),
        ("http://[::1]:8000", Party("localhost", ORIGIN)),
        ("http://localhost", Party("localhost", "http://localhost")),
        ("https://Feed.example.org:443", Party("feed.example.org", "https://feed.example.org")),
        ("https://büro.example:8443", Party("xn--bro-hoa.example", "https://xn--bro-hoa.example:8443")),
        ("http://feed.example.org", None),
        ("https://192.0.2.1", None),
        ("http://192.168.1.5:8000", None),
    ],
)
def test_they_work_at_the_configured_address(app: Flask, url: str, expected: Party | None) -> None:
    with configured(app, SITE_URL=url), app.app_context():
        assert party() == expected


def test_no_host_of_a_request_decides_where(app: Flask, alice: Member) -> None:
    data, headers = (
        {"csrf_token": alice.csrf_token},
        {"X-Forwarded-Host": "evil.example", "Origin": "http://evil.example"},
    )
    cookie = alice.client.get_cookie("freshet")
    assert cookie is not None
    alice.client.set_cookie("freshet", cookie.value, domain="evil.example")
    address = "http://evil.example/settings/factors/passkeys/new"
    page = alice.client.post(address, data=data, headers=headers).text
    assert offered(page)["rp"]["id"] == "localhost" and f'data-origin="{ORIGIN}"' in page


def test_where_browsers_know_none_the_pages_say_so(app: Flask, alice: Member) -> None:
    with configured(app, SITE_URL="http://feed.example.org"):
        assert "Passkeys don’t work on this site yet" in alice.get("/settings/factors").text
        assert alice.send("/settings/factors/passkeys/new").status_code == 403
        assert "data-passkey" not in Browser(app).get("/login").text


def test_without_scripts_the_pages_offer_the_other_ways(app: Flask, alice: Member) -> None:
    add(alice)
    for page in (Browser(app).get("/login").text, after_password(app).get("/login/code").text):
        assert "Passkeys need JavaScript." in re.sub(r"\s+", " ", page.split("<noscript>")[-1])


def test_what_was_signed_is_forgotten_when_it_would_be_too_old(
    app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        db.session.execute(delete(UsedChallenge))
        db.session.commit()
    log_in(app, add(alice))
    assert number_of(app, UsedChallenge) == 2
    for minutes, left in ((0, 2), (21, 0)):
        move_clock(monkeypatch, timedelta(minutes=minutes))
        with app.app_context():
            forget_used()
            db.session.commit()
        assert number_of(app, UsedChallenge) == left


def test_answers_hold_nothing_that_is_shown(app: Flask, alice: Member) -> None:
    browser = Browser(app)
    answer = json.dumps({"id": "<script>alert(1)</script>"})
    assert "<script>alert" not in browser.submit("/login/passkey", page="/login", answer=answer).text


def test_a_frozen_person_keeps_their_passkeys_and_a_suspended_one_sees_decisions_alone(
    app: Flask, alice: Member
) -> None:
    key = add(alice)
    for state in (User.frozen_until, User.suspended_until):
        with app.app_context():
            db.session.execute(update(User).where(User.id == alice.id).values({state: FOREVER}))
            db.session.commit()
        browser, response = log_in(app, key)
        assert response.status_code == 303
        if state is User.frozen_until:
            assert alice.send(f"/settings/factors/passkeys/{passkey_id(app, key)}", name="Mine").status_code == 303
            assert browser.user == "alice"
    assert browser.get("/settings/factors").location == "/decisions"
    alice.send(f"/settings/factors/passkeys/{passkey_id(app, key)}/delete")
    assert number_of(app, Passkey) == 1
