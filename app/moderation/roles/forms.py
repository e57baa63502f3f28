"""The form in which a role is given or taken."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import RadioField, StringField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs
from wtforms.validators import InputRequired, Length

from app.accounts.models import ADMIN, MEMBER, MODERATOR

MAX_REASON = 500


class RoleForm(FlaskForm):
    handle = StringField("Person", [InputRequired("Whose role? Enter their handle."), Length(max=31)])
    role = RadioField(
        "Role",
        choices=[
            SelectChoice(MODERATOR, "Moderator: may open Admin and read the log"),
            SelectChoice(ADMIN, "Admin: may do everything, also give and take roles"),
            SelectChoice(MEMBER, "Member: like everyone else"),
        ],
        validators=[InputRequired("Choose a role.")],
        validate_choice=False,
    )
    reason = StringField("Reason", [Length(max=MAX_REASON, message=f"At most {MAX_REASON} characters.")])
