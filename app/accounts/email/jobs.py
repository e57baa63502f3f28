"""Jobs about addresses."""

from __future__ import annotations

from app.accounts.email.queries import accounts_at
from app.mail import links
from app.mail.models import RESET
from app.mail.operations import send
from app.outbox.models import OutboxRow


def send_reset(row: OutboxRow) -> None:
    """Send one e-mail with a link for each account of an address; an address without accounts gets none."""
    email = row.details["email"]
    made = [(user.handle, links.make_link(user.id, RESET, email)) for user in accounts_at(email)]
    accounts = [{"handle": handle, "link": link.id} for handle, link in made if link]
    if accounts:
        send("reset", to=email, values={"accounts": accounts}, links=[link for _, link in made if link])
