"""The form of an appeal."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import TextAreaField
from wtforms.validators import InputRequired, Length

MAX_APPEAL = 2000


class AppealForm(FlaskForm):
    text = TextAreaField(
        "Your side",
        [
            InputRequired("Say why you think it was wrong."),
            Length(max=MAX_APPEAL, message=f"At most {MAX_APPEAL} characters."),
        ],
    )
