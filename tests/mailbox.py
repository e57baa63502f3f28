"""A real mail server for tests, and the e-mails that it was given."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from flask import Flask

SITE = "https://feed.example"
FROM = "Freshet <feed@feed.example>"


class _AtAnyPort(Controller):
    """A server at a port that the system chooses."""

    def _trigger_server(self) -> None:
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
        super()._trigger_server()  # type: ignore[no-untyped-call]


class Mailbox:
    """What a mail server was given, and how it answers: `answer` may refuse."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.answer = "250 OK"
        self.logins: list[tuple[bytes, bytes, bool]] = []  # with which name and password, and whether over TLS
        self.url = ""

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.recipients.append(list(envelope.rcpt_tos))
        return self.answer

    def authenticate(self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, auth: Any) -> AuthResult:
        assert isinstance(auth, LoginPassword)
        self.logins.append((auth.login, auth.password, session.ssl is not None))
        return AuthResult(success=True)

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]

    def subjects(self, address: str) -> list[str]:
        return [str(mail["Subject"]) for mail in self.to(address)]

    def link(self, address: str, path: str = "/") -> str:
        """Return the path of the last link to a page of ours that an address was sent."""
        found = [link for mail in self.to(address) for link in links_in(mail) if link.startswith(path)]
        assert found, f"no link to {path} in {self.subjects(address)}"
        return found[-1]


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def links_in(mail: EmailMessage, kind: str = "plain") -> list[str]:
    """Return the paths of all links to pages of ours in a mail."""
    return re.findall(rf"{SITE}(/[a-z]+/[\w.~-]+)", text_of(mail, kind))


@contextmanager
def mail_server(*, host: str = "127.0.0.1", **options: Any) -> Iterator[Mailbox]:
    """Run a mail server for the length of the block."""
    mailbox = Mailbox()
    controller = _AtAnyPort(mailbox, hostname=host, port=0, authenticator=mailbox.authenticate, **options)
    controller.start()
    try:
        mailbox.url = f"smtp://{host}:{controller.port}"
        yield mailbox
    finally:
        controller.stop()


@contextmanager
def configured(app: Flask, **values: Any) -> Iterator[None]:
    """Change settings of the application for the length of the block."""
    before = {name: app.config[name] for name in values}
    app.config.update(values)
    try:
        yield
    finally:
        app.config.update(before)


@contextmanager
def sending(app: Flask, url: str) -> Iterator[None]:
    """Let the application send by a mail server."""
    with configured(app, SMTP_URL=url, MAIL_FROM=FROM, SITE_URL=SITE):
        yield
