"""The shape of a list that is brought in."""

from __future__ import annotations

from flask_wtf import FlaskForm
from flask_wtf.file import FileField
from wtforms import StringField
from wtforms.validators import AnyOf

from app.takeout.models import FOLLOWS, KINDS


class ImportForm(FlaskForm):
    kind = StringField("Whom", default=FOLLOWS, validators=[AnyOf(KINDS, "Choose what to do with these people.")])
    file = FileField("File")
