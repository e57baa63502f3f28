"""E-mails as they are sent: a subject, plain text, and the same as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Any

from flask import current_app

from app.core import clock
from app.site.settings import the_site


def compose(template: str, *, to: str, message_id: str, values: Mapping[str, Any]) -> EmailMessage:
    """Return a mail made of the templates `mail/<template>.txt`, whose first line is the subject, and `.html`."""
    names = {"site_name": _in_one_line(the_site().name), "site_url": current_app.config["SITE_URL"]}
    shown = {**names, **values}
    subject, _, text = _render(f"mail/{template}.txt", shown).partition("\n")
    message = EmailMessage(policy=SMTP)
    message["Subject"] = _in_one_line(subject)
    message["From"] = _sender(names["site_name"])
    message["To"] = Address(addr_spec=to)  # refuses line breaks, and a second address
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = f"<{message_id}@{_domain()}>"
    message["Auto-Submitted"] = "auto-generated"  # no answers by holiday notices
    message.set_content(text.strip() + "\n")
    message.add_alternative(_render(f"mail/{template}.html", {**shown, "subject": subject}), subtype="html")
    return message


def _render(name: str, values: Mapping[str, Any]) -> str:
    return current_app.jinja_env.get_template(name).render(values)


def _sender(site_name: str) -> Address:
    name, address = parseaddr(current_app.config["MAIL_FROM"])
    return Address(display_name=_in_one_line(name) or site_name, addr_spec=address)


def _domain() -> str:
    return parseaddr(current_app.config["MAIL_FROM"])[1].rpartition("@")[2]


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
