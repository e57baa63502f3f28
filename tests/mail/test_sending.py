"""E-mails go out by a job, to a real mail server, whole, and never twice as long as nobody dies."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from app.extensions import db
from app.mail.jobs import MAX_ATTEMPTS
from app.mail.operations import send
from app.outbox import errands
from app.outbox.models import OutboxRow
from app.subscribers import ERRANDS
from config import BadSetting, load_config
from tests.accounts.browser import Browser
from tests.mailbox import SITE, Mailbox, configured, links_in, mail_server, sending, text_of
from tests.outbox import drain, open_jobs, open_rows
from tests.people import PASSWORD, Member

NEW = "new@example.org"
ACCOUNT = {"handle": "newcomer", "name": "New Comer", "email": NEW, "password": PASSWORD}
TLS = Path(__file__).parent.parent / "core" / "tls"


@pytest.fixture
def mailbox(app: Flask) -> Iterator[Mailbox]:
    with mail_server() as mailbox, sending(app, mailbox.url):
        yield mailbox


def give_a_mail(app: Flask, to: str = NEW) -> None:
    with app.app_context():
        send("address_changed", to=to, values={"handle": "newcomer"})
        db.session.commit()


def run_next(app: Flask) -> bool:
    with app.app_context():
        return errands.run_next()


def make_due(app: Flask, *, attempts: int) -> None:
    with app.app_context():
        db.session.execute(db.update(OutboxRow).values(attempts=attempts, lease_until=db.func.now()))
        db.session.commit()


def test_signing_up_sends_a_mail_in_plain_text_and_html(app: Flask, alice: Member, mailbox: Mailbox) -> None:
    assert Browser(app).submit("/signup", **ACCOUNT).status_code == 303
    assert mailbox.mails == [], "no request waits for a mail server"
    drain(app)
    [mail] = mailbox.to(NEW)
    assert mail["Subject"] == "Confirm your email address for Freshet"
    assert mail["From"] == "Freshet <feed@feed.example>"
    assert mail["Auto-Submitted"] == "auto-generated" and mail["Message-ID"].endswith("@feed.example>")
    assert links_in(mail) == links_in(mail, "html") and len(links_in(mail)) == 1
    assert "@newcomer" in text_of(mail) and "<b>@newcomer</b>" in text_of(mail, "html")


def test_a_mail_is_an_errand_that_is_due_at_once_and_no_worker_waits_for_it(app: Flask, mailbox: Mailbox) -> None:
    assert "mail.send" in ERRANDS
    give_a_mail(app)
    assert run_next(app) and not run_next(app)
    assert len(mailbox.mails) == 1


def test_a_mail_of_a_transaction_that_fails_is_never_sent(app: Flask, mailbox: Mailbox) -> None:
    with app.app_context():
        send("address_changed", to=NEW, values={"handle": "newcomer"})
        db.session.rollback()
    assert open_jobs(app) == []


@pytest.mark.parametrize("answer", ["451 try again later", "421 not now"])
def test_what_a_mail_server_puts_off_is_tried_again(app: Flask, mailbox: Mailbox, answer: str) -> None:
    mailbox.answer = answer
    give_a_mail(app)
    assert run_next(app)
    [row] = open_rows(app)
    assert row.attempts == 1 and row.last_error
    mailbox.answer, mailbox.mails[:] = "250 OK", []
    make_due(app, attempts=1)
    assert run_next(app)
    assert len(mailbox.mails) == 1 and open_rows(app) == []


def test_an_address_that_the_mail_server_refuses_is_given_up_at_once(app: Flask, mailbox: Mailbox) -> None:
    mailbox.answer = "550 no such person"
    give_a_mail(app)
    assert run_next(app)
    assert open_rows(app) == []


def test_a_mail_server_that_stays_away_is_asked_a_bounded_number_of_times(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    with sending(app, "smtp://127.0.0.1:9"):
        give_a_mail(app)
        assert run_next(app)
        assert [row.attempts for row in open_rows(app)] == [1]
        make_due(app, attempts=MAX_ATTEMPTS)
        assert run_next(app)
    assert open_rows(app) == []
    assert "is given up" in caplog.text


def test_without_a_mail_server_the_log_has_a_line_for_each_mail(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    with configured(app, SITE_URL=SITE), caplog.at_level(logging.WARNING):
        give_a_mail(app)
        drain(app)
    [said] = [record.getMessage() for record in caplog.records]
    assert "SMTP_URL is not set" in said and said.endswith(f"“The email address of @newcomer was changed” to {NEW}")


@pytest.mark.parametrize(
    "address", ["a@example.org\nBcc: b@example.org", "a@example.org\r\nBcc: b@x.org", "a@x.org, b@x.org", "a@x.org b"]
)
def test_nobody_is_written_to_by_a_line_break_in_an_address(app: Flask, mailbox: Mailbox, address: str) -> None:
    give_a_mail(app, to=address)
    assert run_next(app)
    assert mailbox.mails == []


def test_a_line_break_in_the_name_of_the_site_starts_no_header(app: Flask, mailbox: Mailbox) -> None:
    with configured(app, SITE_NAME="Our\r\nBcc: b@example.org\r\n\r\nfeed"):
        Browser(app).submit("/setup", **ACCOUNT)
        drain(app)
    [mail] = mailbox.mails
    assert mail["Bcc"] is None and mailbox.recipients == [[NEW]]
    assert mail["Subject"] == "Confirm your email address for Our Bcc: b@example.org feed"


@pytest.fixture
def tls(monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The certificate of kettle.example, by an authority that the site trusts."""
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "kettle.example.pem")
    return context


def test_the_password_of_a_mail_server_is_sent_over_tls(
    app: Flask, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server(host="127.0.0.2", tls_context=tls) as mailbox:
        port = mailbox.url.rpartition(":")[2]
        resolve_to("127.0.0.2", monkeypatch)
        with sending(app, f"smtp://us%40er:p%2Fw@kettle.example:{port}"):
            give_a_mail(app)
            drain(app)
    assert mailbox.logins == [(b"us@er", b"p/w", True)]
    assert len(mailbox.mails) == 1


def test_mail_goes_over_tls_from_the_first_byte_where_that_is_asked_for(
    app: Flask, tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    with mail_server(host="127.0.0.2", ssl_context=tls) as mailbox:
        port = mailbox.url.rpartition(":")[2]
        resolve_to("127.0.0.2", monkeypatch)
        with sending(app, f"smtps://kettle.example:{port}"):
            give_a_mail(app)
            drain(app)
    assert len(mailbox.mails) == 1


def test_a_certificate_of_somebody_else_ends_it_before_anything_is_said(app: Flask, tls: ssl.SSLContext) -> None:
    with mail_server(host="127.0.0.2", tls_context=tls) as mailbox:
        with sending(app, mailbox.url.replace("//", "//user:password@")):
            give_a_mail(app)
            assert run_next(app)
        [row] = open_rows(app)
        assert "CERTIFICATE_VERIFY_FAILED" in (row.last_error or "")
    assert mailbox.mails == [] and mailbox.logins == []


def test_no_password_is_sent_to_a_server_that_cannot_encrypt(app: Flask) -> None:
    with mail_server(host="127.0.0.2", auth_require_tls=False) as mailbox:
        with sending(app, mailbox.url.replace("//", "//user:password@")):
            give_a_mail(app)
            assert run_next(app)
        [row] = open_rows(app)
        assert "NotEncrypted" in (row.last_error or "")
    assert mailbox.mails == [] and mailbox.logins == []


def resolve_to(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the name in the certificate lead to a server of ours."""
    import socket  # noqa: PLC0415

    resolve = socket.getaddrinfo

    def ours(host: object, *args: object, **options: object) -> object:
        return resolve(address if host == "kettle.example" else host, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", ours)


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"SMTP_URL": "smtp://mail.example", "MAIL_FROM": "a@b.example"}, "SMTP_URL needs SITE_URL"),
        ({"SMTP_URL": "smtp://mail.example", "SITE_URL": SITE}, "SMTP_URL needs MAIL_FROM"),
        ({"SMTP_URL": "http://mail.example"}, "smtp://user:password@host"),
        ({"SMTP_URL": "smtp://"}, "smtp://user:password@host"),
        ({"SMTP_URL": "smtp://mail.example:port"}, "smtp://user:password@host"),
        ({"MAIL_FROM": "nobody"}, "MAIL_FROM must be"),
        ({"MAIL_FROM": "a@b.example\nBcc: c@d.example"}, "MAIL_FROM must be"),
        ({"SITE_URL": "feed.example"}, "SITE_URL must be"),
        ({"SITE_URL": "javascript:alert(1)"}, "SITE_URL must be"),
        ({"SITE_URL": "https://feed.example/below"}, "SITE_URL must be"),
        ({"SITE_URL": "https://user@feed.example"}, "SITE_URL must be"),
        ({"SITE_URL": "https://feed.example?a=b"}, "SITE_URL must be"),
    ],
)
def test_a_setting_that_cannot_work_is_refused_at_the_start(env: dict[str, str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=sentence):
        load_config({"FRESHET_DATA": str(tmp_path), **env})


@pytest.mark.parametrize(
    ("env", "url"),
    [
        ({"SITE_URL": "https://feed.example/"}, "https://feed.example"),
        ({"SITE_URL": "http://feed.example:8080"}, "http://feed.example:8080"),
        ({}, "http://127.0.0.1:8000"),
        ({"HOST": "0.0.0.0", "PORT": "81"}, "http://127.0.0.1:81"),
        ({"HOST": "::1"}, "http://[::1]:8000"),
    ],
)
def test_links_begin_with_the_address_of_the_settings(env: dict[str, str], url: str, tmp_path: Path) -> None:
    assert load_config({"FRESHET_DATA": str(tmp_path), **env})["SITE_URL"] == url
