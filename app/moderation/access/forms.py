"""The form of an admin who helps somebody in."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField
from wtforms.validators import InputRequired, Length

MAX_REASON = 500


class HelpForm(FlaskForm):
    handle = StringField(
        "Person", [InputRequired("Whom? Enter their handle."), Length(max=31, message="That’s too long.")]
    )
    reason = StringField("Reason", [Length(max=MAX_REASON, message=f"At most {MAX_REASON} characters.")])
