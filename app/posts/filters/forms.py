"""The shape of a word filter."""

from __future__ import annotations

from datetime import datetime

from flask_wtf import FlaskForm
from wtforms import StringField
from wtforms.validators import AnyOf, ValidationError

from app.core.errors import Refused
from app.posts.filters.operations import LASTS, checked_phrase, until_from_now
from app.posts.models import COLLAPSE, HIDE, WordFilter

WORD, PART = "word", "part"
KEEP = "keep"


class FilterForm(FlaskForm):
    end: datetime | None = None  # of a filter that is brought back
    phrase = StringField("Word or phrase")
    match = StringField("Match", default=WORD, validators=[AnyOf((WORD, PART), "Choose how to match it.")])
    action = StringField(
        "When it matches", default=HIDE, validators=[AnyOf((HIDE, COLLAPSE), "Choose what happens when it matches.")]
    )
    lasts = StringField("How long", default="ever", validators=[AnyOf((*LASTS, KEEP), "Choose how long.")])

    def validate_phrase(self, field: StringField) -> None:
        """Refuse a phrase together with whatever else is wrong."""
        try:
            checked_phrase(field.data or "")
        except Refused as refusal:
            raise ValidationError(str(refusal)) from refusal

    def until_of(self, found: WordFilter | None) -> datetime | None:
        """Return when the filter is to end: as chosen, or as that of the filter that is changed."""
        if self.lasts.data == KEEP:
            return found.until if found else self.end
        return until_from_now(self.lasts.data or "")

    @property
    def is_whole_word(self) -> bool:
        return bool(self.match.data == WORD)
