"""E-mail addresses: confirmed by a link, told when they are changed, and warned of log-ins from new browsers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.models import User
from app.core import clock
from app.extensions import db
from app.mail.models import MailLink
from tests.accounts.browser import Browser, at_once
from tests.mailbox import Mailbox, mail_server, sending, text_of
from tests.outbox import drain
from tests.people import PASSWORD, Member

ALICE = "alice@example.org"
NEW = "new.alice@example.org"


@pytest.fixture
def mailbox(app: Flask) -> Iterator[Mailbox]:
    with mail_server() as mailbox, sending(app, mailbox.url):
        yield mailbox


def is_confirmed(app: Flask, member: Member) -> bool:
    with app.app_context():
        return db.session.get_one(User, member.id).email_confirmed_at is not None


def confirm(app: Flask, *members: Member) -> None:
    with app.app_context():
        theirs = update(User).where(User.id.in_([member.id for member in members]))
        db.session.execute(theirs.values(email_confirmed_at=clock.now()))
        db.session.commit()


def link_for(app: Flask, member: Member, mailbox: Mailbox) -> str:
    assert member.send("/settings/email/confirm").status_code == 303
    drain(app)
    return mailbox.link(f"{member.handle}@example.org", "/confirm/")


def test_an_address_is_confirmed_by_the_link_that_was_sent_there(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    link = link_for(app, alice, mailbox)
    browser = Browser(app)
    page = browser.get(link)
    assert page.status_code == 200 and ALICE in page.text and "@alice" in page.text
    assert not is_confirmed(app, alice), "mail programs open links, too"
    assert browser.submit(link).location == "/"
    assert is_confirmed(app, alice)
    assert "it’s confirmed" in alice.get("/settings/email").text


def test_a_link_confirms_once_even_if_it_is_used_twice_at_the_same_moment(
    app: Flask, alice: Member, mailbox: Mailbox
) -> None:
    link = link_for(app, alice, mailbox)
    members = [Member(app, None, "") for _ in range(4)]
    answers = at_once(*[lambda member=member: member.send(link) for member in members])
    assert sorted(answer.status_code for answer in answers) == [303, 410, 410, 410]


def test_a_link_is_over_after_half_an_hour(
    app: Flask, alice: Member, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = link_for(app, alice, mailbox)
    later = clock.now() + timedelta(minutes=31)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert Browser(app).get(link).status_code == 410
    assert alice.send(link).status_code == 410
    assert not is_confirmed(app, alice)


@pytest.mark.parametrize(
    "change", [lambda token: token[:-1], lambda token: "x" + token, lambda token: token + "=" * 300]
)
def test_a_link_that_was_changed_leads_nowhere(app: Flask, alice: Member, mailbox: Mailbox, change: object) -> None:
    link = link_for(app, alice, mailbox)
    forged = "/confirm/" + change(link.rpartition("/")[2])  # type: ignore[operator]
    assert Browser(app).get(forged).status_code == 410


def test_a_link_to_confirm_does_not_open_the_page_for_a_new_password(
    app: Flask, alice: Member, mailbox: Mailbox
) -> None:
    link = link_for(app, alice, mailbox)
    assert Browser(app).get(link.replace("/confirm/", "/reset/")).status_code == 410


def test_a_new_address_is_asked_to_be_confirmed_and_the_old_one_is_told(
    app: Flask, alice: Member, mailbox: Mailbox
) -> None:
    confirm(app, alice)
    assert alice.send("/settings/email", email=NEW, current_password=PASSWORD).status_code == 303
    drain(app)
    assert not is_confirmed(app, alice)
    assert mailbox.subjects(ALICE) == ["The email address of @alice was changed"]
    assert mailbox.subjects(NEW) == ["Confirm your email address for Freshet"]
    assert NEW not in text_of(mailbox.to(ALICE)[0])


def test_an_old_address_that_was_never_confirmed_gets_no_mail(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    for email in ("somebody.else@example.org", NEW):
        assert alice.send("/settings/email", email=email, current_password=PASSWORD).status_code == 303
    drain(app)
    subjects = {who: mailbox.subjects(who) for who in (ALICE, "somebody.else@example.org", NEW)}
    assert all("was changed" not in subject for each in subjects.values() for subject in each)
    assert subjects[NEW] == ["Confirm your email address for Freshet"]


def test_the_link_for_an_old_address_does_not_confirm_the_new_one(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    link = link_for(app, alice, mailbox)
    alice.send("/settings/email", email=NEW, current_password=PASSWORD)
    assert Browser(app).get(link).status_code == 410
    assert alice.send(link).status_code == 410
    assert not is_confirmed(app, alice)


def test_the_same_address_again_changes_nothing_and_sends_nothing(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    confirm(app, alice)
    alice.send("/settings/email", email=ALICE, current_password=PASSWORD)
    drain(app)
    assert is_confirmed(app, alice) and mailbox.mails == []


def test_a_form_of_ours_does_not_flood_a_mailbox(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    for _ in range(25):
        alice.send("/settings/email/confirm")
    drain(app)
    assert len(mailbox.mails) == 10


def test_what_opens_a_link_is_kept_nowhere(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    token = link_for(app, alice, mailbox).rpartition("/")[2]
    with app.app_context():
        [link] = db.session.scalars(db.select(MailLink)).all()
        assert token not in repr([getattr(link, column.name) for column in MailLink.__table__.columns])


def test_a_log_in_from_a_new_browser_is_told_once(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    confirm(app, alice)
    browser = Browser(app, address="203.0.113.7")
    for _ in range(2):
        browser.log_in("alice")
        browser.submit("/logout", page="/")
    drain(app)
    [mail] = mailbox.to(ALICE)
    assert mail["Subject"] == "New log-in to @alice"
    assert "Firefox on Linux, from 203.0.113.7" in text_of(mail)


def test_a_browser_that_others_have_used_is_new_to_somebody_else(
    app: Flask, alice: Member, bob: Member, mailbox: Mailbox
) -> None:
    confirm(app, alice, bob)
    browser = Browser(app)
    for handle in ("alice", "bob", "alice"):
        browser.log_in(handle)
        browser.submit("/logout", page="/")
    drain(app)
    assert [mail["To"] for mail in mailbox.mails] == [ALICE, "bob@example.org"]


def test_the_browser_of_the_sign_up_is_known(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    browser = Browser(app)
    browser.submit("/signup", handle="newcomer", name="New", email=NEW, password=PASSWORD)
    with app.app_context():
        db.session.execute(update(User).values(email_confirmed_at=clock.now()))
        db.session.commit()
    browser.submit("/logout", page="/")
    browser.log_in("newcomer")
    drain(app)
    assert "New log-in to @newcomer" not in mailbox.subjects(NEW)


@pytest.mark.parametrize("cookie", ["", "forged", "WyJhIl0.x", "x" * 3500])
def test_a_forged_memory_of_a_browser_is_no_memory(app: Flask, alice: Member, mailbox: Mailbox, cookie: str) -> None:
    confirm(app, alice)
    browser = Browser(app)
    browser.client.set_cookie("browser", cookie, path="/login")
    assert browser.log_in("alice").status_code == 303
    drain(app)
    assert mailbox.subjects(ALICE) == ["New log-in to @alice"]


def test_who_logs_in_from_where_is_not_told_to_an_address_that_may_be_a_strangers(
    app: Flask, alice: Member, mailbox: Mailbox
) -> None:
    Browser(app).log_in("alice")
    drain(app)
    assert mailbox.mails == []


def test_a_hostile_name_of_a_browser_puts_nothing_into_a_mail(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    confirm(app, alice)
    Browser(app, agent="<a href='https://evil.example'>Firefox</a> X-Bcc: b@example.org").log_in("alice")
    drain(app)
    [mail] = mailbox.mails
    assert "evil" not in text_of(mail) and "evil" not in text_of(mail, "html")
