"""Months of the activity table: made ahead of time, with an alarm when they were not."""

from __future__ import annotations

import logging

from sqlalchemy import func, select, text

from app.extensions import db

log = logging.getLogger(__name__)

MONTHS_AHEAD = 3


def make_partitions() -> None:
    """Make the partitions of this month and the next three; say so loudly if rows landed outside of all of them."""
    strays = db.session.scalar(text("SELECT count(*) FROM activity_default"))
    if strays:
        log.error("%s rows of activity lie outside its months: partitions were not made in time", strays)
    db.session.execute(select(func.make_activity_partitions(MONTHS_AHEAD)))
