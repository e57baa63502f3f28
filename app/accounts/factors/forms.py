"""The shape of codes."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import InputRequired, Length


class CodeForm(FlaskForm):
    code = StringField(
        "Code", validators=[InputRequired("Enter the code."), Length(max=60, message="That’s too long.")]
    )


class NewAppForm(CodeForm):
    offer = HiddenField()
