"""The shape of codes."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField
from wtforms.validators import InputRequired, Length

AS_TYPED = {"autocapitalize": "none", "spellcheck": "false"}


class CodeForm(FlaskForm):
    """A code of an app, or a recovery code."""

    code = StringField(
        "Code",
        validators=[InputRequired("Enter the code."), Length(max=60, message="That’s too long.")],
        render_kw={**AS_TYPED, "autofocus": True},  # the page has nothing else
    )


class NewAppForm(FlaskForm):
    """The first code of an app, which is always six digits."""

    offer = HiddenField()
    code = StringField(
        "Code",
        validators=[InputRequired("Enter the code."), Length(max=60, message="That’s too long.")],
        render_kw={**AS_TYPED, "inputmode": "numeric"},
    )
