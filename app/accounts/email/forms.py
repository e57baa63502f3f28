"""The shape of what people enter to get back in."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import PasswordField, StringField
from wtforms.validators import InputRequired, Length

from app.accounts.forms import MAX_EMAIL, a_good_password, an_email


class ForgottenForm(FlaskForm):
    email = StringField(
        "Email",
        validators=[
            InputRequired("Enter your email address."),
            Length(max=MAX_EMAIL, message="That’s too long."),
            an_email,
        ],
    )


class NewPasswordForm(FlaskForm):
    password = PasswordField("New password", validators=[InputRequired("Choose a new password."), a_good_password])
