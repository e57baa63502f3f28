"""The forms in which moderators decide."""

from __future__ import annotations

from collections.abc import Sequence

from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs

from app.moderation.answers.models import CannedAnswer
from app.moderation.reports.models import ACTED, NOTHING


class CloseForm(FlaskForm):
    outcome = RadioField(
        "What came of it?",
        choices=[
            SelectChoice(ACTED, "They were right: something was done about it"),
            SelectChoice(NOTHING, "It can stay as it is"),
        ],
        validate_choice=False,
    )
    canned = SelectField("Answer", validate_choice=False)
    answer = TextAreaField("Or in your own words")

    def offer(self, answers: Sequence[CannedAnswer]) -> None:
        """Offer the answers that are ready."""
        self.canned.choices = [
            SelectChoice("", "No answer"),
            *(SelectChoice(str(answer.id), answer.title) for answer in answers),
        ]

    def answer_among(self, answers: Sequence[CannedAnswer]) -> str:
        """Return what is answered: what was written or, without that, the answer that was chosen."""
        ready = {str(answer.id): answer.text for answer in answers}
        return (self.answer.data or "").strip() or ready.get(self.canned.data or "", "")


class NoteForm(FlaskForm):
    text = TextAreaField("Note")
