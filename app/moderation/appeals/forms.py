"""The form in which an appeal is answered."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import SubmitField, TextAreaField
from wtforms.validators import Length

MAX_ANSWER = 2000


class AnswerForm(FlaskForm):
    answer = TextAreaField("Your answer", [Length(max=MAX_ANSWER, message=f"At most {MAX_ANSWER} characters.")])
    accept = SubmitField("Accept and undo")
    decline = SubmitField("Decline")
