"""Jobs about linked pages."""

from __future__ import annotations

import logging

from flask import current_app
from sqlalchemy import select

from app.extensions import db
from app.outbox.models import OutboxRow
from app.posts.links.asking import ask
from app.posts.links.models import LinkedPage
from app.posts.links.operations import is_due, store

MAX_ATTEMPTS = 5  # of an errand that fails in a way that nobody has foreseen
log = logging.getLogger(__name__)


def fetch_linked_page(row: OutboxRow) -> None:
    """Ask a page what it says about itself, if nobody has lately. Nothing is locked meanwhile but our own row."""
    if row.attempts >= MAX_ATTEMPTS:
        log.warning("linked page %s is given up for now: %s", row.subject_id, row.last_error)
        store(row.subject_id, None)
        return
    page = select(LinkedPage.url, LinkedPage.title, LinkedPage.asked_at).where(LinkedPage.id == row.subject_id)
    found = db.session.execute(page).one_or_none()
    if found is not None and is_due(row.subject_id, found.title, found.asked_at) and current_app.config["LINK_CARDS"]:
        store(row.subject_id, ask(found.url))
