"""The shape of what people write."""

from __future__ import annotations

from flask_wtf import FlaskForm
from flask_wtf.file import MultipleFileField
from wtforms import HiddenField, StringField, TextAreaField
from wtforms.validators import AnyOf, Optional

from app.posts.models import AUDIENCES, EVERYONE
from app.posts.writing.resending import new_once


class PostForm(FlaskForm):
    text = TextAreaField("Write a post")
    warning = StringField("Content warning")
    audience = StringField(
        "Who can see this",
        default=EVERYONE,
        filters=[lambda value: value or EVERYONE],  # a program may leave it out
        validators=[Optional(), AnyOf(AUDIENCES, "Choose who can see this.")],
    )
    image = MultipleFileField("Images")  # read by media.forms, which also knows those that were uploaded before
    reply_to = HiddenField()
    quote_of = HiddenField()
    once = HiddenField(default=new_once)


class EditForm(FlaskForm):
    text = TextAreaField("Edit your post")
    warning = StringField("Content warning")
    version = HiddenField()

    @property
    def made_from(self) -> int | None:
        """Return the version that the text was made from; a program may leave it out."""
        version = str(self.version.data or "")
        if not version:
            return None
        return int(version) if version.isascii() and version.isdigit() and len(version) <= 16 else -1
