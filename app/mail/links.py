"""Links for e-mails: signed, for one use, for half an hour, on the address of the site that its settings name."""

from __future__ import annotations

from datetime import datetime, timedelta

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import delete, func, select, update

from app import addresses
from app.core import clock
from app.core.statements import rows_changed
from app.extensions import db
from app.mail.models import CONFIRM, MailLink

LIFETIME = timedelta(minutes=30)
MAX_PER_ADDRESS = 10  # links of one purpose for one address within LIFETIME: a form of ours must not flood a mailbox
MAX_TOKEN_CHARS = 200


def make_link(user_id: int, purpose: str, email: str) -> MailLink | None:
    """Make a link for an account; None if its address has been sent enough of them for now."""
    recent = select(func.count()).where(
        MailLink.email == email, MailLink.purpose == purpose, MailLink.created_at > clock.now() - LIFETIME
    )
    if (db.session.scalar(recent) or 0) >= MAX_PER_ADDRESS:
        return None
    link = MailLink(user_id=user_id, purpose=purpose, email=email, created_at=clock.now())
    link.expires_at = clock.now() + LIFETIME
    db.session.add(link)
    db.session.flush()
    return link


def token_of(link: MailLink) -> str:
    """Return what stands in a link: which it is and when it ends, signed."""
    token = _signer(link.purpose).dumps([link.id, _micros(link.expires_at)])
    return token if isinstance(token, str) else token.decode()


def address_of(link: MailLink) -> str:
    """Return the whole address of a link. What a request says of its host is never asked."""
    token = token_of(link)
    path = addresses.confirm_email(token) if link.purpose == CONFIRM else addresses.reset_password(token)
    site: str = current_app.config["SITE_URL"]
    return site + path


def open_link(token: str, purpose: str) -> MailLink | None:
    """Return the link that a token opens, if it was made by us, is not over and was not used."""
    if len(token) > MAX_TOKEN_CHARS:
        return None
    try:
        link_id, micros = _signer(purpose).loads(token)
    except (BadSignature, ValueError, TypeError):
        return None
    link = db.session.get(MailLink, link_id)
    # The end is compared, too: in a database that was restored from a backup another link may have this number.
    if link is None or link.purpose != purpose or _micros(link.expires_at) != micros or not is_open(link):
        return None
    return link


def is_open(link: MailLink) -> bool:
    """Say whether a link still leads somewhere."""
    return link.used_at is None and link.expires_at > clock.now()


def use(link: MailLink) -> bool:
    """Use a link up, and say whether it was there to be used: of two uses at once only one gets a yes."""
    unused = update(MailLink).where(
        MailLink.id == link.id, MailLink.used_at.is_(None), MailLink.expires_at > clock.now()
    )
    return rows_changed(unused.values(used_at=clock.now())) == 1


def drop_links(user_id: int, *purposes: str) -> None:
    """Let no link that an account was sent for these purposes lead anywhere any more."""
    unused = (MailLink.user_id == user_id, MailLink.purpose.in_(purposes), MailLink.used_at.is_(None))
    db.session.execute(update(MailLink).where(*unused).values(used_at=clock.now()))


def forget_old() -> None:
    """Delete links that have been over for a day."""
    db.session.execute(delete(MailLink).where(MailLink.expires_at < clock.now() - timedelta(days=1)))


def _signer(purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(current_app.secret_key or "", salt=f"mail-link:{purpose}")


def _micros(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)
