"""The form in which an appeal is answered."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField, TextAreaField
from wtforms.validators import AnyOf, Length

MAX_ANSWER = 2000
ACCEPT, DECLINE = DECISIONS = ("accept", "decline")


class AnswerForm(FlaskForm):
    answer = TextAreaField("Your answer", [Length(max=MAX_ANSWER, message=f"At most {MAX_ANSWER} characters.")])
    decision = StringField("Decision", [AnyOf(DECISIONS, "Accept it or decline it.")])  # of two buttons
