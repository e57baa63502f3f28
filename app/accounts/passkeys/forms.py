"""The shape of passkeys: an answer of a browser, and a name."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import InputRequired, Length

MAX_NAME = 50


class NameForm(FlaskForm):
    """What a person calls a passkey."""

    name = StringField(
        "Name",
        validators=[
            InputRequired("Give it a name, so that you can tell it from others."),
            Length(max=MAX_NAME, message=f"Use at most {MAX_NAME} characters."),
        ],
    )


class NewPasskeyForm(NameForm):
    """A new passkey, as the browser made it."""

    answer = HiddenField("Passkey")
