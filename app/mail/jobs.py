"""Send e-mails, one row of the outbox each."""

from __future__ import annotations

import logging
import smtplib
from email.errors import MessageError
from email.message import EmailMessage

from flask import current_app
from sqlalchemy import select

from app.core.statements import is_one_of
from app.extensions import db
from app.mail.links import address_of, is_open
from app.mail.messages import compose
from app.mail.models import MailLink
from app.mail.sending import Server, deliver
from app.outbox.models import OutboxRow

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 12  # with the waits of the outbox in between: some seven hours


def send_mail(row: OutboxRow) -> None:
    """Send a mail. What cannot be sent is tried again for some hours, and then given up, with a line in the log.

    It may be sent twice, if we die right after the server has taken it: both have the same Message-ID.
    """
    details = row.details
    links = _links(details["links"])
    if details["links"] and not links:
        return  # used, or over: a mail that comes too late helps nobody
    values = {**details["values"], "links": links}
    try:
        message = compose(details["template"], to=details["to"], message_id=f"freshet.{row.id}", values=values)
    except (ValueError, MessageError) as error:
        log.warning("no mail can be sent to %r: %s", details["to"], error)
        return
    if not current_app.config["SMTP_URL"]:
        said = f"“{message['Subject']}” to {message['To']} {' '.join(links.values())}"
        log.warning("an e-mail is not sent, because SMTP_URL is not set: %s", said.rstrip())
        return
    _deliver(message, row)


def _deliver(message: EmailMessage, row: OutboxRow) -> None:
    try:
        deliver(message, server=Server.at(current_app.config["SMTP_URL"]))
    except smtplib.SMTPRecipientsRefused as error:
        if any(code < 500 for code, _ in error.recipients.values()) and row.attempts < MAX_ATTEMPTS:
            raise  # not now, says the server
        log.warning("the mail server refuses to send mail %s: %s", row.id, error)
    except (OSError, smtplib.SMTPException):
        if row.attempts < MAX_ATTEMPTS:
            raise
        log.exception("mail %s could not be sent %s times and is given up", row.id, row.attempts + 1)


def _links(ids: list[int]) -> dict[int, str]:
    """Return the addresses of those links that still lead somewhere."""
    links = db.session.scalars(select(MailLink).where(is_one_of(MailLink.id, ids))) if ids else ()
    return {link.id: address_of(link) for link in links if is_open(link)}
