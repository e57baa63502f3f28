"""Hand e-mails to the mail server of SMTP_URL."""

from __future__ import annotations

import smtplib
import ssl
from contextlib import closing
from dataclasses import dataclass
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

SECONDS = 15.0  # for each answer of the server
# What never leaves the machine is not encrypted: the certificate of a server there is seldom one to check.
OWN_MACHINE = {"localhost", "127.0.0.1", "::1"}


class NotEncrypted(smtplib.SMTPException):
    """The password of the mail server would be sent so that others can read it."""


@dataclass(frozen=True)
class Server:
    """A mail server, as SMTP_URL names it."""

    host: str
    port: int
    user: str
    password: str
    is_tls: bool  # from the first byte on

    @classmethod
    def at(cls, url: str) -> Server:
        parts = urlsplit(url)
        is_tls = parts.scheme == "smtps"
        port = parts.port or (465 if is_tls else 587)
        return cls(parts.hostname or "", port, unquote(parts.username or ""), unquote(parts.password or ""), is_tls)


def deliver(message: EmailMessage, *, server: Server) -> None:
    """Send one mail. Passwords go over TLS only, and a certificate that does not fit ends it."""
    with closing(_connect(server)) as connection:
        if server.user:
            connection.login(server.user, server.password)
        connection.send_message(message)
        connection.quit()


def _connect(server: Server) -> smtplib.SMTP:
    if server.is_tls:
        return smtplib.SMTP_SSL(server.host, server.port, timeout=SECONDS, context=ssl.create_default_context())
    connection = smtplib.SMTP(server.host, server.port, timeout=SECONDS)
    try:
        _encrypt(connection, server)
    except BaseException:
        connection.close()
        raise
    return connection


def _encrypt(connection: smtplib.SMTP, server: Server) -> None:
    if server.host in OWN_MACHINE:
        return
    connection.ehlo()
    if connection.has_extn("starttls"):
        connection.starttls(context=ssl.create_default_context())
    elif server.user:
        raise NotEncrypted("the mail server offers no STARTTLS, so its password was not sent")
