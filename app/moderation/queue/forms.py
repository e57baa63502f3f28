"""The forms in which moderators decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from flask_wtf import FlaskForm
from wtforms import RadioField, SelectField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice  # type: ignore[attr-defined]  # newer than the stubs
from wtforms.validators import InputRequired, Length

from app.moderation.actions.forms import MAX_MARK, ActionForm, PersonForm, PostForm
from app.moderation.actions.kinds import KINDS
from app.moderation.answers.models import CannedAnswer
from app.moderation.reports.models import ACTED, NOTHING


class CloseForm(FlaskForm):
    outcome = RadioField(
        "What came of it?",
        choices=[
            SelectChoice(ACTED, "They were right: something was done about it"),
            SelectChoice(NOTHING, "It can stay as it is"),
        ],
        validate_choice=False,
    )
    canned = SelectField("Answer", validate_choice=False)
    answer = TextAreaField("Or in your own words")

    def offer(self, answers: Sequence[CannedAnswer]) -> None:
        """Offer the answers that are ready."""
        self.canned.choices = [
            SelectChoice("", "No answer"),
            *(SelectChoice(str(answer.id), answer.title) for answer in answers),
        ]

    def answer_among(self, answers: Sequence[CannedAnswer]) -> str:
        """Return what is answered: what was written or, without that, the answer that was chosen."""
        ready = {str(answer.id): answer.text for answer in answers}
        return (self.answer.data or "").strip() or ready.get(self.canned.data or "", "")


class ManyForm(ActionForm):
    """What is done about several reports at once: to their posts, or to the people."""

    action = RadioField(
        "What to do",
        choices=[SelectChoice(kind.name, kind.label) for kind in KINDS.values()],
        validators=[InputRequired("Choose one.")],
        validate_choice=False,
    )
    mark = StringField("Warning", [Length(max=MAX_MARK, message=f"At most {MAX_MARK} characters.")])


class NoteForm(FlaskForm):
    text = TextAreaField("Note")


# The forms of a page, by the names that its template knows them by; each has names of its own for its fields.
Forms = dict[str, Callable[..., FlaskForm]]
ON_QUEUE: Forms = {"form": CloseForm, "act_form": partial(ManyForm, prefix="act-")}
ON_REPORT: Forms = {
    "form": CloseForm,
    "note_form": NoteForm,
    "post_form": partial(PostForm, prefix="post-"),
    "person_form": partial(PersonForm, prefix="person-"),
}
ACTS_ON = {"posts": "post_form", "person": "person_form"}


def made(forms: Forms, given: dict[str, FlaskForm], answers: Sequence[CannedAnswer]) -> dict[str, FlaskForm]:
    """Return the forms of a page: those that were sent as they are, the others empty."""
    every = {name: given.get(name) or make(formdata=None) for name, make in forms.items()}
    assert isinstance(every["form"], CloseForm)
    every["form"].offer(answers)
    return every
