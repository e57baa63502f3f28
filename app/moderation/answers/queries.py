"""The answers that are ready."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from app.extensions import db
from app.moderation.answers.models import CannedAnswer


def all_answers() -> Sequence[CannedAnswer]:
    """Return all of them by their titles."""
    return db.session.scalars(select(CannedAnswer).order_by(CannedAnswer.title, CannedAnswer.id)).all()
