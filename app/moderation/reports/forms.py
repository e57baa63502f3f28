"""The form in which a post or person is reported."""

from __future__ import annotations

from flask import request
from flask_wtf import FlaskForm
from wtforms import BooleanField, RadioField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs
from wtforms.validators import InputRequired

from app.moderation.reports.models import REASONS
from app.posts.loaders import names_id


class ReportForm(FlaskForm):
    reason = RadioField(
        "What’s wrong?",
        choices=[SelectChoice(name, words) for name, words in REASONS.items()],
        validators=[InputRequired("Choose what’s wrong.")],
        validate_choice=False,
    )
    note = TextAreaField("Anything else the moderators should know?")
    blocks = BooleanField("Also block them")
    mutes = BooleanField("Also mute them")


def ticked(field: str) -> list[int]:
    """Return the ids that were ticked in a form; what is none is left out."""
    return [int(value) for value in request.form.getlist(field) if names_id(value)]
