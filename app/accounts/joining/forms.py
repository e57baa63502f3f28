"""The form in which an invite is made."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import BooleanField, SelectField, StringField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs

LASTS_WORDS = {"day": "One day", "week": "A week", "month": "30 days", "ever": "Until I revoke it"}


class InviteForm(FlaskForm):
    # How many and how long there can be is a rule: `operations.create_invite`.
    uses = StringField("How many people can use it")
    lasts = SelectField(
        "How long it lasts",
        choices=[SelectChoice(value, words) for value, words in LASTS_WORDS.items()],
        validate_choice=False,
    )
    follows = BooleanField("They follow me from the start")

    @property
    def number(self) -> int:
        """Return how many people were entered; 0 if that is no number."""
        typed = (self.uses.data or "").strip()
        return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 7 else 0
