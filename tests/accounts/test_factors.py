"""Second factors: after the password a code, which works once; set up with care, and of nobody else's business."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select

from app import create_app
from app.accounts.factors.models import AuthenticatorApp, RecoveryCode
from app.extensions import db, limiter
from tests.accounts.browser import Browser, at_once, form_token
from tests.accounts.factor import Phone, give, move_clock, recovery_codes, scan, switch_on
from tests.accounts.test_addresses import confirm
from tests.mailbox import configured, mail_server, sending
from tests.outbox import drain
from tests.patience import PATIENT
from tests.people import PASSWORD, Member
from tests.sql import statements
from tests.web.nasty import ELSEWHERE

HALF_A_MINUTE = timedelta(seconds=30)


@pytest.fixture
def phone(alice: Member, monkeypatch: pytest.MonkeyPatch) -> Phone:
    """Alice's, set up a minute ago: the code by which she did it is over."""
    phone, _ = switch_on(alice)
    move_clock(monkeypatch, 2 * HALF_A_MINUTE)
    return phone


def after_password(app: Flask, handle: str = "alice", **fields: str) -> Browser:
    browser = Browser(app)
    response = browser.log_in(handle, **fields)
    assert response.status_code == 303 and (response.location or "").startswith("/login/code")
    return browser


def rows(app: Flask, model: type) -> int:
    with app.app_context():
        return db.session.scalar(select(db.func.count()).select_from(model)) or 0


# ---- Logging in


def test_after_the_password_a_code_is_asked_for(app: Flask, phone: Phone) -> None:
    browser = after_password(app)
    assert "authenticator app" in browser.get("/login/code").text
    assert give(browser, phone.code()).location == "/"
    assert browser.user == "alice"


def test_nobody_is_logged_in_before_the_code(app: Flask, alice: Member, phone: Phone) -> None:
    before = len(re.findall("Log out</button>", alice.get("/settings/sessions").text))
    browser = after_password(app)
    assert browser.user is None
    assert browser.get("/settings/profile").status_code == 303
    with browser.client.session_transaction() as cookie:
        assert "_user_id" not in cookie
    assert len(re.findall("Log out</button>", alice.get("/settings/sessions").text)) == before


def test_who_has_no_factor_logs_in_as_before_with_one_more_statement(app: Flask, alice: Member, bob: Member) -> None:
    browser = Browser(app)
    token = form_token(browser.get("/login").text)
    data = {"csrf_token": token, "login": "bob", "password": PASSWORD}
    with statements() as sent:
        assert browser.client.post("/login", data=data).location == "/"
    assert len([statement for statement in sent if "authenticator_apps" in statement]) == 1
    with statements() as sent:
        browser.get("/")
    assert not [statement for statement in sent if "authenticator_apps" in statement]


@pytest.mark.parametrize("spell", [lambda code: f"{code[:3]} {code[3:]}", lambda code: f" {code} "])
def test_a_code_may_be_typed_as_the_app_writes_it(app: Flask, phone: Phone, spell: object) -> None:
    browser = after_password(app)
    assert give(browser, spell(phone.code())).status_code == 303  # type: ignore[operator]
    assert browser.user == "alice"


@pytest.mark.parametrize("code", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "x" * 61, "xxxx-xxxx-xxxx-xxxx"])
def test_what_is_no_code_opens_nothing(app: Flask, phone: Phone, code: str) -> None:
    browser = after_password(app)
    assert give(browser, code).status_code == 422
    assert browser.user is None


@pytest.mark.parametrize("steps", [-3, 3, 100])
def test_a_code_of_another_time_opens_nothing(app: Flask, phone: Phone, steps: int) -> None:
    browser = after_password(app)
    assert give(browser, phone.code(steps=steps)).status_code == 422
    assert browser.user is None


def test_a_clock_may_be_half_a_minute_wrong(app: Flask, phone: Phone) -> None:
    assert give(after_password(app), phone.code(steps=1)).status_code == 303


def test_a_code_works_once(app: Flask, phone: Phone) -> None:
    assert give(after_password(app), phone.code()).status_code == 303
    again = after_password(app)
    response = give(again, phone.code())
    assert response.status_code == 422 and "each works once" in response.text
    assert again.user is None


def test_a_code_from_before_the_last_one_does_not_work_either(app: Flask, phone: Phone) -> None:
    assert give(after_password(app), phone.code(steps=1)).status_code == 303
    assert give(after_password(app), phone.code()).status_code == 422


def test_the_code_that_switched_the_factor_on_does_not_log_in(app: Flask, alice: Member) -> None:
    phone, offer = scan(alice.send("/settings/factors/new").text)
    code = phone.code()
    assert alice.send("/settings/factors", offer=offer, code=code).status_code == 200
    assert give(after_password(app), code).status_code == 422


def test_of_two_log_ins_with_one_code_at_the_same_moment_one_gets_in(app: Flask, phone: Phone) -> None:
    browsers = [after_password(app) for _ in range(4)]
    code = phone.code()
    answers = at_once(*[lambda browser=browser: give(browser, code) for browser in browsers])
    assert sorted(answer.status_code for answer in answers) == [303, 422, 422, 422]
    assert [browser.user for browser in browsers].count("alice") == 1


def test_the_code_of_another_person_opens_nothing(app: Flask, phone: Phone, bob: Member) -> None:
    his, his_codes = switch_on(bob)
    for code in (his.code(steps=1), his_codes[0]):
        assert give(after_password(app), code).status_code == 422
    assert give(after_password(app, "bob"), his_codes[0]).status_code == 303, "and nothing of his was used up"


def test_the_cookie_from_after_the_password_is_no_log_in_and_dies_with_the_password(
    app: Flask, alice: Member, phone: Phone
) -> None:
    browser = after_password(app)
    alice.send("/settings/password", current_password=PASSWORD, password="another good password")
    assert browser.get("/login/code").location == "/login?next=/"
    response = Member(app, None, "").send("/login/code", code=phone.code())
    assert (response.status_code, response.location) == (303, "/login?next=/")


def test_who_takes_too_long_begins_again(app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = after_password(app)
    move_clock(monkeypatch, timedelta(minutes=11))
    assert browser.get("/login/code").location == "/login?next=/"


def test_a_cookie_that_was_planted_is_worth_nothing_after_the_code(app: Flask, phone: Phone) -> None:
    browser = after_password(app)
    planted = Browser(app)
    assert browser.cookie is not None
    planted.cookie = browser.cookie
    give(browser, phone.code())
    assert browser.user == "alice" and planted.user is None
    assert give(planted, phone.code()).status_code == 422, "it would need a code of its own"


def test_a_form_token_from_before_the_code_is_worth_nothing_afterwards(app: Flask, phone: Phone) -> None:
    browser = after_password(app)
    token = form_token(browser.get("/login/code").text)
    browser.client.post("/login/code", data={"csrf_token": token, "code": phone.code()})
    assert browser.user == "alice"
    assert browser.client.post("/posts", data={"csrf_token": token, "text": "forged"}).status_code == 400


def test_a_code_needs_a_form_of_ours(app: Flask, phone: Phone) -> None:
    browser = after_password(app)
    assert browser.client.post("/login/code", data={"code": phone.code()}).status_code == 400
    assert browser.user is None


def test_one_goes_on_to_the_page_one_wanted(app: Flask, phone: Phone) -> None:
    browser = Browser(app)
    asked = browser.log_in("alice", next="/settings/sessions")
    assert asked.location == "/login/code?next=/settings/sessions"
    token = form_token(browser.get(asked.location).text)
    data = {"csrf_token": token, "code": "wrong", "next": "/settings/sessions"}
    wrong = browser.client.post("/login/code", data=data)
    assert '<input type="hidden" name="next" value="/settings/sessions">' in wrong.text
    assert browser.client.post("/login/code", data=data | {"code": phone.code()}).location == "/settings/sessions"


@pytest.mark.parametrize("address", [address for address in ELSEWHERE if "\x00" not in address])
def test_nobody_is_led_elsewhere(app: Flask, phone: Phone, address: str) -> None:
    browser = Browser(app)
    assert browser.log_in("alice", next=address).location == "/login/code?next=/"
    assert give(browser, phone.code(), next=address).location == "/"


def test_a_post_that_was_being_written_comes_through(app: Flask, phone: Phone) -> None:
    browser = Browser(app)
    token = form_token(browser.get("/login").text)
    typed = {"text": "Half a thought", "writer": "alice", "next": "/"}
    data = {"csrf_token": token, "login": "alice", "password": PASSWORD, **typed}
    page = browser.client.post("/login", data=data)
    assert page.status_code == 200 and 'name="text" value="Half a thought"' in page.text
    done = browser.client.post("/login/code", data={"csrf_token": form_token(page.text), "code": phone.code(), **typed})
    assert done.status_code == 200 and "Half a thought" in done.text
    assert browser.user == "alice"


def test_keeping_logged_in_is_kept_through_the_code(app: Flask, phone: Phone) -> None:
    response = give(after_password(app, remember="y"), phone.code())
    [cookie] = [line for line in response.headers.getlist("Set-Cookie") if line.startswith("freshet=")]
    assert "Expires=" in cookie


def test_codes_are_guessed_at_six_times_a_minute_from_wherever(app: Flask, phone: Phone) -> None:
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    try:
        answers = []
        for address in ("198.51.100.1", "198.51.100.2"):
            browser = Browser(strict, address=address)
            browser.log_in("alice")
            answers += [give(browser, phone.wrong_code()).status_code for _ in range(4)]
        assert answers == [422] * 6 + [429] * 2
    finally:
        limiter.reset()
        limiter.enabled = False
        with strict.app_context():
            db.engine.dispose()


# ---- Recovery codes


@pytest.fixture
def codes(alice: Member) -> list[str]:
    return switch_on(alice)[1]


def test_there_are_ten_recovery_codes_and_only_their_hashes_are_kept(app: Flask, codes: list[str]) -> None:
    assert len(set(codes)) == 10 and all(re.fullmatch(r"([a-z2-9]{4}-){3}[a-z2-9]{4}", code) for code in codes)
    with app.app_context():
        hashes = db.session.scalars(select(RecoveryCode.code_hash)).all()
    assert len(hashes) == 10 and not {code.encode() for code in codes} & set(hashes)


def test_a_recovery_code_opens_the_account_once(app: Flask, codes: list[str]) -> None:
    browser = after_password(app)
    assert give(browser, codes[3].upper().replace("-", " ")).status_code == 303
    assert "You have 9 left." in browser.get("/").text
    again = after_password(app)
    assert give(again, codes[3]).status_code == 422
    assert again.user is None


def test_of_two_uses_of_a_recovery_code_at_the_same_moment_one_gets_in(app: Flask, codes: list[str]) -> None:
    browsers = [after_password(app) for _ in range(4)]
    answers = at_once(*[lambda browser=browser: give(browser, codes[0]) for browser in browsers])
    assert sorted(answer.status_code for answer in answers) == [303, 422, 422, 422]
    assert rows(app, RecoveryCode) == 9


def test_new_recovery_codes_replace_the_old_ones(app: Flask, alice: Member, codes: list[str]) -> None:
    made = recovery_codes(alice.send("/settings/factors/codes").text)
    assert len(made) == 10 and not set(made) & set(codes)
    assert give(after_password(app), codes[0]).status_code == 422
    assert give(after_password(app), made[0]).status_code == 303


def test_two_pages_that_make_recovery_codes_at_once_leave_ten(app: Flask, alice: Member, codes: list[str]) -> None:
    others = [Member(app, alice.id, "alice") for _ in range(3)]
    at_once(*[lambda other=other: other.send("/settings/factors/codes") for other in others])
    assert rows(app, RecoveryCode) == 10


# ---- Setting it up


def test_nothing_is_switched_on_before_a_code_was_entered(app: Flask, alice: Member) -> None:
    phone, offer = scan(alice.send("/settings/factors/new").text)
    assert rows(app, AuthenticatorApp) == 0
    response = alice.send("/settings/factors", offer=offer, code=phone.wrong_code())
    assert response.status_code == 422 and "not the code your app shows" in response.text
    assert scan(response.text)[1] == offer, "the app that has read the square already is still the right one"
    assert rows(app, AuthenticatorApp) == 0
    assert Browser(app).log_in("alice").location == "/"


def test_what_was_offered_to_one_is_worth_nothing_to_another(app: Flask, alice: Member, bob: Member) -> None:
    phone, offer = scan(alice.send("/settings/factors/new").text)
    assert bob.send("/settings/factors", offer=offer, code=phone.code()).location == "/settings/factors"
    assert rows(app, AuthenticatorApp) == 0


@pytest.mark.parametrize("offer", ["", "forged", "WzEsICJBIl0.x.y", "x" * 3000])
def test_a_forged_offer_switches_nothing_on(app: Flask, alice: Member, offer: str) -> None:
    assert alice.send("/settings/factors", offer=offer, code="123456").location == "/settings/factors"
    assert rows(app, AuthenticatorApp) == 0


def test_a_second_app_does_not_replace_the_first(app: Flask, alice: Member, phone: Phone) -> None:
    other, offer = scan(alice.send("/settings/factors/new").text)
    assert "already" in alice.send("/settings/factors", offer=offer, code=other.code()).text
    assert give(after_password(app), phone.code()).status_code == 303


def test_two_pages_that_switch_it_on_at_once_leave_one_app_with_its_codes(app: Flask, alice: Member) -> None:
    offers = [scan(alice.send("/settings/factors/new").text) for _ in range(3)]
    others = [Member(app, alice.id, "alice") for _ in offers]
    answers = at_once(
        *[
            lambda o=other, p=phone, offer=offer: o.send("/settings/factors", offer=offer, code=p.code())
            for other, (phone, offer) in zip(others, offers, strict=True)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422]
    assert (rows(app, AuthenticatorApp), rows(app, RecoveryCode)) == (1, 10)


def test_switched_off_the_password_is_enough_again(app: Flask, alice: Member, phone: Phone) -> None:
    assert alice.send("/settings/factors/delete").status_code == 303
    assert (rows(app, AuthenticatorApp), rows(app, RecoveryCode)) == (0, 0)
    assert Browser(app).log_in("alice").location == "/"


def test_nobody_reads_or_changes_the_factor_of_another(app: Flask, alice: Member, phone: Phone, bob: Member) -> None:
    assert "Your second factor is on" not in bob.get("/settings/factors").text
    assert bob.send("/settings/factors/delete", user_id=str(alice.id)).status_code == 303
    assert recovery_codes(bob.send("/settings/factors/codes", user_id=str(alice.id)).text) == []
    assert (rows(app, AuthenticatorApp), rows(app, RecoveryCode)) == (1, 10)


def test_the_square_and_the_codes_are_on_no_page_that_can_be_opened_again(alice: Member, phone: Phone) -> None:
    page = alice.get("/settings/factors").text
    assert phone.totp.secret not in page and "factor-key" not in page and not recovery_codes(page)


def test_a_new_password_by_e_mail_does_not_go_round_the_factor(app: Flask, alice: Member, phone: Phone) -> None:
    with mail_server() as mailbox, sending(app, mailbox.url):
        Browser(app).submit("/reset", email="alice@example.org")
        drain(app)
        Browser(app).submit(mailbox.link("alice@example.org", "/reset/"), password="another good password")
    response = Browser(app).log_in("alice", "another good password")
    assert (response.location or "").startswith("/login/code")


def test_switching_it_on_and_off_is_told_by_e_mail(app: Flask, alice: Member) -> None:
    confirm(app, alice)
    with mail_server() as mailbox, sending(app, mailbox.url):
        switch_on(alice)
        alice.send("/settings/factors/delete")
        drain(app)
    assert mailbox.subjects("alice@example.org") == [
        "A second factor for @alice",
        "The second factor of @alice is off",
    ]


# ---- Those who run the site


@pytest.fixture
def demanding(app: Flask) -> Iterator[None]:
    with configured(app, REQUIRE_STAFF_FACTOR=True):
        yield


@pytest.mark.parametrize("path", ["/admin", "/admin/roles", "/admin/log", "/admin/log.csv", "/admin/feed"])
def test_staff_without_a_factor_are_led_to_it_first(mod: Member, demanding: None, path: str) -> None:
    assert mod.get(path).location == "/settings/factors"
    assert mod.client.head(path).location == "/settings/factors"
    assert "you need a second factor" in mod.get("/settings/factors").text


def test_staff_without_a_factor_change_nothing(mod: Member, alice: Member, demanding: None) -> None:
    assert mod.send("/admin/roles", handle="alice", role="moderator").status_code == 403
    assert alice.get("/admin").status_code == 403


def test_staff_with_a_factor_do_their_work_and_keep_it(mod: Member, warden: Member, demanding: None) -> None:
    switch_on(mod)
    assert mod.get("/admin").status_code == 200
    assert mod.send("/settings/factors/delete").status_code == 403
    assert warden.get("/admin").status_code == 303


def test_members_are_not_asked_for_one(alice: Member, demanding: None) -> None:
    switch_on(alice)
    assert alice.send("/settings/factors/delete").status_code == 303
