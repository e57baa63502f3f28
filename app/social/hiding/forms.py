"""Whom to mute or block, by their handle."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField
from wtforms.validators import DataRequired


class PersonForm(FlaskForm):
    handle = StringField(
        "Handle",
        filters=[lambda value: value.strip().removeprefix("@") if value else value],
        validators=[DataRequired("Enter a handle.")],
    )
