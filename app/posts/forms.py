"""The shape of what people enter about posts."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import HiddenField, StringField, TextAreaField
from wtforms.validators import AnyOf, Optional

from app.posts.hiding import LASTS
from app.posts.models import AUDIENCES, EVERYONE, FOLD, HIDE


class PostForm(FlaskForm):
    text = TextAreaField("Write a post")
    warning = StringField("Content warning")
    audience = StringField(
        "Who can see this",
        default=EVERYONE,
        filters=[lambda value: value or EVERYONE],  # a program may leave it out
        validators=[Optional(), AnyOf(AUDIENCES, "Choose who can see this.")],
    )
    reply_to = HiddenField()
    quote_of = HiddenField()


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


WORD, PART = "word", "part"
KEEP = "keep"


class FilterForm(FlaskForm):
    phrase = StringField("Word or phrase")
    match = StringField("Match", default=WORD, validators=[AnyOf((WORD, PART), "Choose how to match it.")])
    action = StringField(
        "When it matches", default=HIDE, validators=[AnyOf((HIDE, FOLD), "Choose what happens when it matches.")]
    )
    lasts = StringField("How long", default="ever", validators=[AnyOf((*LASTS, KEEP), "Choose how long.")])

    @property
    def is_whole_word(self) -> bool:
        return bool(self.match.data == WORD)
