"""The form in which held posts are approved or declined, one or several."""

from __future__ import annotations

from datetime import datetime

from flask_wtf import FlaskForm
from wtforms import SelectMultipleField, TextAreaField
from wtforms.validators import Length

from app.moderation.actions.forms import MAX_REASON
from app.moderation.held.operations import Chosen


class HeldForm(FlaskForm):
    post = SelectMultipleField("Posts", choices=[], validate_choice=False)
    reason = TextAreaField("Reason", [Length(max=MAX_REASON, message=f"At most {MAX_REASON} characters.")])

    def chosen(self, only: str) -> list[Chosen]:
        """Return the posts that are decided about: the one whose button was pressed, or those that were ticked."""
        keys = [only] if only else self.post.data or []
        return [chosen for key in dict.fromkeys(keys) if (chosen := _read(key))]


def _read(key: str) -> Chosen | None:
    post_id, _, edited = key.partition(":")
    if not (post_id.isascii() and post_id.isdigit() and len(post_id) < 17):
        return None
    try:
        return Chosen(int(post_id), datetime.fromisoformat(edited) if edited else None)
    except ValueError:
        return None
