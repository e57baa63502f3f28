"""The form in which something is announced."""

from __future__ import annotations

from flask_wtf import FlaskForm
from wtforms import StringField, TextAreaField


class AnnouncementForm(FlaskForm):
    # What each may be is a rule: `operations.announce`.
    text = TextAreaField("What to say")
    starts = StringField("From")
    ends = StringField("To")
