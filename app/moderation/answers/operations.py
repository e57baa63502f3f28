"""Write, change and remove ready-made answers. Each goes on record."""

from __future__ import annotations

from sqlalchemy import delete, func, select

from app.accounts.models import User
from app.core.errors import Refused
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.core.text import clean, clean_line, is_blank, too_long_by
from app.extensions import db
from app.moderation.answers.models import CannedAnswer
from app.moderation.log import actions
from app.moderation.log.operations import enter

MAX_TITLE, MAX_TEXT, MAX_ANSWERS = 60, 1000, 50


class BadTitle(Refused):
    """A title that cannot be used."""

    field = "title"


class BadText(Refused):
    """A text that cannot be used."""

    field = "text"


def add_answer(title: str, text: str, *, by: User) -> None:
    """Add an answer for moderators to choose."""
    title, text = _checked_title(title), _checked_text(text)
    advisory_lock("answers")
    if (db.session.scalar(select(func.count()).select_from(CannedAnswer)) or 0) >= MAX_ANSWERS:
        raise BadTitle(f"There are {MAX_ANSWERS} answers already. Remove one first.")
    db.session.add(CannedAnswer(title=title, text=text))
    enter(actions.ANSWER_ADDED, by, by=by, reason=text, before={}, after={"title": title})


def change_answer(answer: CannedAnswer, title: str, text: str, *, by: User) -> None:
    """Change an answer; what was answered with it before stays as it was."""
    title, text = _checked_title(title), _checked_text(text)
    before = {"title": answer.title, "text": answer.text}
    if before == {"title": title, "text": text}:
        return
    answer.title, answer.text = title, text
    enter(actions.ANSWER_CHANGED, by, by=by, reason="", before=before, after={"title": title, "text": text})


def remove_answer(answer: CannedAnswer, *, by: User) -> None:
    """Remove an answer. Twice is the same as once."""
    if rows_changed(delete(CannedAnswer).where(CannedAnswer.id == answer.id)):
        enter(actions.ANSWER_REMOVED, by, by=by, reason=answer.text, before={}, after={"title": answer.title})


def _checked_title(title: str) -> str:
    title = clean_line(title)
    if is_blank(title):
        raise BadTitle("Give it a title, so that moderators find it.")
    if too_long_by(title, MAX_TITLE):
        raise BadTitle(f"A title can have up to {MAX_TITLE} characters.")
    return title


def _checked_text(text: str) -> str:
    text = clean(text)
    if is_blank(text):
        raise BadText("Write what the answer says.")
    if too_long_by(text, MAX_TEXT):
        raise BadText(f"An answer can have up to {MAX_TEXT} characters.")
    return text
