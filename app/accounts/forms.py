"""The shape of what people enter about their accounts."""

from __future__ import annotations

from flask import request
from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from wtforms import BooleanField, PasswordField, SelectField, StringField, TextAreaField
from wtforms.validators import InputRequired, Length, Optional, Regexp, ValidationError

from app.accounts import passwords
from app.accounts.blocks.models import DOMAIN, NETWORK
from app.accounts.blocks.models import HANDLE as HANDLE_BLOCK
from app.accounts.blocks.queries import why_blocked
from app.accounts.operations import LONGEST_EMAIL, check_handle, normalise_email
from app.core.errors import Refused
from app.core.text import HANDLE, clean_line, is_blank, too_long_by
from app.core.zones import choices

MAX_NAME = 50
MAX_BIO = 300
MAX_NOTE = 500
MAX_EMAIL = LONGEST_EMAIL


def readable_name(form: FlaskForm, field: StringField) -> None:
    """Accept a name that shows something, at most fifty characters as people count."""
    name = clean_line(field.data or "")
    if is_blank(name):
        raise ValidationError("Enter a display name.")
    if too_long_by(name, MAX_NAME):
        raise ValidationError(f"Use {MAX_NAME} characters or fewer.")


def an_email(form: FlaskForm, field: StringField) -> None:
    """Accept what can be an e-mail address."""
    try:
        normalise_email(field.data or "")
    except ValueError as error:
        raise ValidationError(str(error)) from error


def a_good_password(form: FlaskForm, field: PasswordField) -> None:
    """Refuse what would be guessed first."""
    password = field.data or ""
    if len(password) < passwords.MIN_LENGTH:
        raise ValidationError(f"Use at least {passwords.MIN_LENGTH} characters.")
    if len(password) > passwords.MAX_LENGTH:
        raise ValidationError(f"Use {passwords.MAX_LENGTH} characters or fewer.")
    if password.lower() in passwords.TOO_COMMON or len(set(password)) < 3:
        raise ValidationError("That password is too easy to guess. Choose another.")


class SignUpForm(FlaskForm):
    handle = StringField(
        "Handle",
        filters=[lambda value: value.strip().removeprefix("@") if value else value],
        validators=[
            InputRequired("Choose a handle."),
            Length(2, 30, "Use 2 to 30 characters."),
            Regexp(rf"^{HANDLE}\Z", message="Use only letters, numbers and _ (no spaces or accents)."),
        ],
    )
    name = StringField("Display name", validators=[InputRequired("Enter a display name."), readable_name])
    email = StringField(
        "Email",
        validators=[
            InputRequired("Enter your email address."),
            Length(max=MAX_EMAIL, message="That’s too long."),
            an_email,
        ],
    )
    password = PasswordField("Password", validators=[InputRequired("Choose a password."), a_good_password])

    note = TextAreaField("Why would you like to join?", validators=[Optional()])  # asked where somebody decides

    def validate_note(self, field: TextAreaField) -> None:
        if too_long_by(field.data or "", MAX_NOTE):
            raise ValidationError(f"Use {MAX_NOTE} characters or fewer.")

    def validate_handle(self, field: StringField) -> None:
        """Refuse a handle that cannot be had, together with whatever else is wrong."""
        try:
            check_handle(field.data or "")
        except Refused as refusal:
            raise ValidationError(str(refusal)) from refusal
        blocked = why_blocked(HANDLE_BLOCK, handle=field.data or "")
        blocked = blocked or why_blocked(NETWORK, address=request.remote_addr or "")
        if blocked:
            raise ValidationError(blocked)

    def validate_email(self, field: StringField) -> None:
        """Refuse an address at a domain with which nobody can sign up."""
        if field.errors:
            return  # it is none
        if blocked := why_blocked(DOMAIN, email=normalise_email(field.data or "")):
            raise ValidationError(blocked)


class LogInForm(FlaskForm):
    login = StringField(
        "Handle or email", validators=[InputRequired("Enter your handle or email."), Length(max=MAX_EMAIL)]
    )
    password = PasswordField("Password", validators=[InputRequired("Enter your password.")])
    remember = BooleanField("Keep me logged in on this device")


class ProfileForm(FlaskForm):
    name = StringField("Display name", validators=[InputRequired("Enter a display name."), readable_name])
    bio = TextAreaField("About you", validators=[Optional()])
    avatar = FileField("Picture")
    remove_avatar = BooleanField("Remove picture")

    def validate_bio(self, field: TextAreaField) -> None:
        if too_long_by(field.data or "", MAX_BIO):
            raise ValidationError(f"Use {MAX_BIO} characters or fewer.")


class TimeZoneForm(FlaskForm):
    # Which names there are is a rule: `operations.choose_time_zone`.
    time_zone = SelectField("Your time zone", validate_choice=False)

    def offer(self, current: str | None) -> None:
        """Offer the zones by their regions, and the one that the account has, if that is of no place."""
        found = {region: list(zones.items()) for region, zones in choices().items()}
        if current and not any(current in zones for zones in choices().values()):
            found["Other"].append((current, current))
        self.time_zone.choices = found


class EmailForm(FlaskForm):
    email = StringField(
        "New email",
        validators=[
            InputRequired("Enter your email address."),
            Length(max=MAX_EMAIL, message="That’s too long."),
            an_email,
        ],
    )
    current_password = PasswordField("Your password", validators=[InputRequired("Enter your password.")])


class PasswordForm(FlaskForm):
    current_password = PasswordField("Current password", validators=[InputRequired("Enter your current password.")])
    password = PasswordField("New password", validators=[InputRequired("Choose a new password."), a_good_password])


class DeleteAccountForm(FlaskForm):
    current_password = PasswordField("Your password", validators=[InputRequired("Enter your password.")])
