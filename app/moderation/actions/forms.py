"""The forms in which a person or a post is acted on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time

from flask_wtf import FlaskForm
from wtforms import RadioField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs
from wtforms.validators import InputRequired, Length

from app.core.days import BadDay, read_day
from app.core.zones import Zone
from app.moderation.actions.kinds import ON_PEOPLE, ON_POSTS, Kind
from app.moderation.actions.operations import BadEnd

MAX_REASON = 2000
MAX_MARK = 100


def _choices(kinds: Mapping[str, Kind]) -> list[SelectChoice]:
    return [SelectChoice(kind.name, kind.label) for kind in kinds.values()]


class ActionForm(FlaskForm):
    """What is done, why, and until when."""

    reason = TextAreaField(
        "Reason",
        [
            InputRequired("Say why. The person will read it."),
            Length(max=MAX_REASON, message=f"At most {MAX_REASON} characters."),
        ],
    )
    until = StringField("Until")

    def until_in(self, zone: Zone) -> datetime | None:
        """Return the beginning of the day that was chosen; None for good."""
        typed = (self.until.data or "").strip()
        if not typed:
            return None
        try:
            return datetime.combine(read_day(typed), time.min, zone or UTC)
        except (BadDay, OverflowError) as error:
            raise BadEnd("Write the day as year-month-day, like 2026-11-17, or leave it empty.") from error


class PersonForm(ActionForm):
    action = RadioField(
        "What to do", choices=_choices(ON_PEOPLE), validators=[InputRequired("Choose one.")], validate_choice=False
    )


class PostForm(ActionForm):
    action = RadioField(
        "What to do", choices=_choices(ON_POSTS), validators=[InputRequired("Choose one.")], validate_choice=False
    )
    mark = StringField("Warning", [Length(max=MAX_MARK, message=f"At most {MAX_MARK} characters.")])
