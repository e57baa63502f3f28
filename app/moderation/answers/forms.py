"""The form of a ready-made answer."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField, TextAreaField


class AnswerForm(FlaskForm):
    title = StringField("Title")
    text = TextAreaField("Answer")
