"""A forgotten password: a link by e-mail, once, for half an hour, with the same answer for everybody who asks."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app import create_app
from app.accounts.models import User
from app.core import clock
from app.extensions import db, limiter
from tests.accounts.browser import Browser, at_once, without_tokens
from tests.accounts.test_addresses import confirm
from tests.mailbox import Mailbox, configured, links_in, mail_server, sending, text_of
from tests.outbox import drain
from tests.patience import PATIENT
from tests.people import PASSWORD, Member
from tests.sql import statements

ALICE = "alice@example.org"
NEW = "a brand new password"


@pytest.fixture
def mailbox(app: Flask) -> Iterator[Mailbox]:
    with mail_server() as mailbox, sending(app, mailbox.url):
        yield mailbox


def ask(app: Flask, email: str = ALICE) -> None:
    assert Browser(app).submit("/reset", email=email).status_code == 303
    drain(app)


@pytest.fixture
def link(app: Flask, alice: Member, mailbox: Mailbox) -> str:
    ask(app)
    return mailbox.link(ALICE, "/reset/")


def test_the_link_in_the_mail_leads_to_a_new_password(app: Flask, link: str) -> None:
    browser = Browser(app)
    assert "@alice" in browser.get(link).text
    assert browser.submit(link, password=NEW).location == "/login"
    assert browser.user is None, "who has a second factor is still asked for it"
    assert Browser(app).log_in("alice", PASSWORD).status_code == 422
    assert Browser(app).log_in("alice", NEW).status_code == 303


def test_a_new_password_ends_all_sessions(app: Flask, alice: Member, bob: Member, link: str) -> None:
    elsewhere = Browser(app)
    elsewhere.log_in("alice")
    Browser(app).submit(link, password=NEW)
    assert elsewhere.user is None
    assert alice.get("/settings/profile").status_code == 303
    assert bob.get("/settings/profile").status_code == 200


def test_a_link_works_once(app: Flask, link: str) -> None:
    assert Browser(app).submit(link, password=NEW).status_code == 303
    browser = Browser(app)
    assert browser.get(link).status_code == 410
    assert Member(app, None, "").send(link, password="yet another password").status_code == 410
    assert Browser(app).log_in("alice", NEW).status_code == 303


def test_of_two_uses_at_the_same_moment_one_wins(app: Flask, link: str) -> None:
    wanted = [f"password number {number}" for number in range(4)]
    members = [Member(app, None, "") for _ in wanted]
    answers = at_once(*[lambda m=m, p=p: m.send(link, password=p) for m, p in zip(members, wanted, strict=True)])
    assert sorted(answer.status_code for answer in answers) == [303, 410, 410, 410]
    opens = [Browser(app).log_in("alice", password).status_code for password in wanted]
    assert opens == [303 if answer.status_code == 303 else 422 for answer in answers]


def test_a_link_is_over_after_half_an_hour(app: Flask, link: str, monkeypatch: pytest.MonkeyPatch) -> None:
    later = clock.now() + timedelta(minutes=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert Browser(app).get(link).status_code == 410
    assert Member(app, None, "").send(link, password=NEW).status_code == 410


def test_a_mistake_does_not_use_the_link_up(app: Flask, link: str) -> None:
    response = Browser(app).submit(link, password="short")
    assert response.status_code == 422 and "Use at least 8 characters." in response.text
    assert Browser(app).submit(link, password=NEW).status_code == 303


def test_a_new_password_takes_back_all_links_that_were_sent_before(app: Flask, mailbox: Mailbox, link: str) -> None:
    ask(app)
    second = mailbox.link(ALICE, "/reset/")
    assert second != link
    Browser(app).submit(second, password=NEW)
    assert Browser(app).get(link).status_code == 410


def test_changing_the_password_in_the_settings_takes_links_back(app: Flask, alice: Member, link: str) -> None:
    alice.send("/settings/password", current_password=PASSWORD, password=NEW)
    assert Browser(app).get(link).status_code == 410


def test_another_address_takes_links_back(app: Flask, alice: Member, link: str) -> None:
    alice.send("/settings/email", email="other@example.org", current_password=PASSWORD)
    assert Browser(app).get(link).status_code == 410


def test_a_deleted_account_cannot_be_brought_back_by_a_link(app: Flask, alice: Member, link: str) -> None:
    alice.send("/settings/delete", current_password=PASSWORD)
    assert Browser(app).get(link).status_code == 410
    assert Member(app, None, "").send(link, password=NEW).status_code == 410


@pytest.mark.parametrize("host", ["evil.example", "evil.example:443", "feed.example.evil.example"])
@pytest.mark.parametrize("header", ["Host", "X-Forwarded-Host", "Forwarded", "X-Host"])
def test_no_header_of_a_request_decides_where_a_link_leads(
    app: Flask, alice: Member, mailbox: Mailbox, header: str, host: str
) -> None:
    browser = Member(app, None, "")
    value = f"host={host}" if header == "Forwarded" else host
    data = {"csrf_token": browser.csrf_token, "email": ALICE}
    assert browser.client.post("/reset", data=data, headers={header: value}).status_code in {303, 400}
    ask(app)
    for mail in mailbox.mails:
        assert links_in(mail) and "evil" not in text_of(mail) and "evil" not in text_of(mail, "html")


def test_known_and_unknown_addresses_get_the_same_answer_by_the_same_work(
    app: Flask, alice: Member, bob: Member, mailbox: Mailbox
) -> None:
    seen = []
    with app.app_context():
        db.session.execute(update(User).where(User.id == bob.id).values(email=ALICE))
        db.session.commit()
    for email in (ALICE, "nobody@example.org"):
        browser = Browser(app)
        with statements() as sent:
            response = browser.submit("/reset", email=email)
        page = browser.get(response.location or "")
        seen.append((response.status_code, response.location, without_tokens(page.text), sent))
    assert seen[0] == seen[1]
    assert mailbox.mails == []
    drain(app)
    assert [mail["To"] for mail in mailbox.mails] == [ALICE]


def test_an_address_with_several_accounts_gets_one_mail_with_a_link_for_each(
    app: Flask, alice: Member, bob: Member, carol: Member, mailbox: Mailbox
) -> None:
    bob.send("/settings/email", email=ALICE, current_password=PASSWORD)
    drain(app)
    mailbox.mails.clear()
    ask(app, " Alice@EXAMPLE.org ")
    [mail] = mailbox.mails
    assert "@alice: " in text_of(mail) and "@bob: " in text_of(mail) and "@carol" not in text_of(mail)
    first, second = links_in(mail)
    Browser(app).submit(second, password=NEW)
    assert Browser(app).log_in("bob", NEW).status_code == 303
    assert Browser(app).log_in("alice", NEW).status_code == 422
    assert Browser(app).get(first).status_code == 200, "the other account still has its own"


def test_nobody_is_pushed_out_of_the_mail_by_accounts_that_name_their_address(
    app: Flask, alice: Member, join: Callable[..., Member], mailbox: Mailbox
) -> None:
    others = [join(f"other{number}") for number in range(12)]
    zoe = join("zoe")
    with app.app_context():
        db.session.execute(update(User).where(User.id.in_([o.id for o in [*others, zoe]])).values(email=ALICE))
        db.session.commit()
    confirm(app, zoe)
    ask(app)
    [mail] = mailbox.mails
    assert text_of(mail).index("@zoe:") < text_of(mail).index("@alice:")


def test_a_new_password_is_told_to_an_address_that_was_confirmed(
    app: Flask, alice: Member, mailbox: Mailbox, link: str
) -> None:
    confirm(app, alice)
    Browser(app).submit(link, password=NEW)
    drain(app)
    assert mailbox.subjects(ALICE)[-1] == "The password of @alice was changed"


def test_what_is_no_address_is_named_and_kept(app: Flask, alice: Member) -> None:
    response = Browser(app).submit("/reset", email="nowhere")
    assert response.status_code == 422
    assert "doesn’t look like an email address" in response.text and 'value="nowhere"' in response.text


@pytest.mark.parametrize("token", ["x", "WzEsMV0.x", "a.b.c", "x" * 3000, "%0a", "WzFd"])
def test_a_made_up_link_is_a_page_of_ours(app: Flask, alice: Member, token: str) -> None:
    response = Browser(app).get(f"/reset/{token}")
    assert response.status_code == 410 and "doesn’t work any more" in response.text


def test_without_a_mail_server_the_page_says_so_and_the_link_is_in_the_log(
    app: Flask, alice: Member, caplog: pytest.LogCaptureFixture
) -> None:
    with configured(app, SITE_URL="https://feed.example"), caplog.at_level(logging.WARNING):
        assert "can’t send email" in Browser(app).get("/reset").text
        ask(app)
    link = next(word for word in caplog.text.split() if word.startswith("https://feed.example/reset/"))
    assert Browser(app).submit(link.removeprefix("https://feed.example"), password=NEW).status_code == 303


def test_whoever_opens_a_link_while_logged_in_as_somebody_else_sees_for_whom_it_is(
    app: Flask, bob: Member, link: str
) -> None:
    assert "@alice" in bob.get(link).text
    assert bob.send(link, password=NEW).status_code == 303
    assert Browser(app).log_in("bob", PASSWORD).status_code == 303


@pytest.mark.parametrize("email", [ALICE, "nobody@example.org"])
def test_a_mailbox_is_not_filled_by_asking_again_and_again(app: Flask, alice: Member, email: str) -> None:
    strict = create_app(**PATIENT, TESTING=True, RATELIMIT_ENABLED=True)
    limiter.reset()
    try:
        answers = [
            Browser(strict, address=f"198.51.100.{number}").submit("/reset", email=email.upper()).status_code
            for number in range(5)
        ]
        assert answers == [303] * 3 + [429] * 2, "known or not"
    finally:
        limiter.reset()
        limiter.enabled = False
        with strict.app_context():
            db.engine.dispose()
