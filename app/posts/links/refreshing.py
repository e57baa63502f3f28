"""Ask linked pages again: rarely where they have a card, a few times where the first try found nothing."""

from __future__ import annotations

from datetime import timedelta

from flask import current_app
from sqlalchemy import ColumnElement, Double, and_, cast, exists, extract, func, or_, select

from app.core import clock, ids
from app.extensions import db
from app.outbox import names
from app.outbox.models import OutboxRow
from app.outbox.rows import open_row
from app.posts.links.models import LinkedPage, PostLink
from app.posts.links.operations import RETRY_AFTER

MAX_AT_ONCE = 20  # each waits for a server of somebody else
RARELY = timedelta(days=30)
GIVE_UP_AFTER = timedelta(hours=6)  # then it is tried once more: after 5 minutes, half an hour, two and ten hours


def ask_again() -> None:
    """Open an errand for the pages that are due, those that wait longest first."""
    if not current_app.config["LINK_CARDS"]:
        return
    is_shown = exists().where(PostLink.page_id == LinkedPage.id, ~PostLink.is_removed)
    is_open = exists().where(OutboxRow.job == names.FETCH_LINKED_PAGE, OutboxRow.subject_id == LinkedPage.id)
    due = select(LinkedPage.id).where(or_(_is_old(), _is_to_be_tried()), is_shown, ~is_open)
    for page_id in db.session.scalars(due.order_by(LinkedPage.asked_at).limit(MAX_AT_ONCE)).all():
        open_row(names.FETCH_LINKED_PAGE, page_id)


def _is_old() -> ColumnElement[bool]:
    return and_(LinkedPage.title != "", LinkedPage.asked_at < clock.now() - RARELY)


def _is_to_be_tried() -> ColumnElement[bool]:
    """Hold for pages without a card that were tried for less than some hours, each time after a longer wait."""
    # As seconds: the id of a page is the time at which it was first linked.
    asked = cast(extract("epoch", LinkedPage.asked_at), Double)
    tried_for = asked - (LinkedPage.id / (1000.0 * 2**ids.SEQUENCE_BITS) + ids.EPOCH.timestamp())
    wait = func.greatest(RETRY_AFTER.total_seconds(), tried_for * 4, type_=Double)
    is_recent = LinkedPage.id > ids.id_at(clock.now() - 5 * GIVE_UP_AFTER)
    is_due = and_(tried_for < GIVE_UP_AFTER.total_seconds(), asked + wait < clock.now().timestamp())
    return and_(LinkedPage.title == "", is_recent, is_due)
