"""Have e-mails sent: by a job, after the commit, so that no request waits for a mail server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.extensions import db
from app.mail.models import MailLink
from app.outbox import names
from app.outbox.rows import open_row


def send(
    template: str, *, to: str, user_id: int = 0, values: Mapping[str, Any] | None = None, links: Sequence[MailLink] = ()
) -> None:
    """Send a mail to an address, in the transaction of what it tells of.

    `values` is what its template shows. Of links only the numbers are kept with the job, never what opens them.
    """
    if links:
        db.session.flush()
    details = {"template": template, "to": to, "values": dict(values or {}), "links": [link.id for link in links]}
    open_row(names.SEND_MAIL, user_id, details=details)
