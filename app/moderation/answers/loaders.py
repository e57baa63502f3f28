"""Load a ready-made answer for a route."""

from __future__ import annotations

from werkzeug.exceptions import NotFound

from app.extensions import db
from app.moderation.answers.models import CannedAnswer


def load_answer(answer_id: int) -> CannedAnswer:
    """Return an answer, 404 if there is none."""
    answer = db.session.get(CannedAnswer, answer_id)
    if answer is None:
        raise NotFound("This answer isn’t there any more.")
    return answer
