"""Ready-made answers, which admins write for moderators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.answers import operations, queries
from app.moderation.answers.forms import AnswerForm
from app.moderation.answers.loaders import load_answer
from app.moderation.answers.models import CannedAnswer
from app.web import limits
from app.web.admin import admin_page
from app.web.forms import show_refusal

bp = Blueprint("answers", __name__)

often = limiter.shared_limit(limits.SETTINGS, scope="answers", key_func=limits.account_or_address)


@bp.get("/admin/answers")
@admin_page("Ready-made answers", "What moderators can answer to those who report", place=3)
@reads_only
def answers() -> ResponseReturnValue:
    return _page(AnswerForm(formdata=None))


@bp.post("/admin/answers")
@often
def create_answer() -> ResponseReturnValue:
    return _store(operations.add_answer, AnswerForm())


@bp.get("/admin/answers/<id:answer_id>")
@reads_only
def edit_answer(answer_id: int) -> ResponseReturnValue:
    found = load_answer(answer_id)
    return _page(AnswerForm(formdata=None, title=found.title, text=found.text), found)


@bp.post("/admin/answers/<id:answer_id>")
@often
def change_answer(answer_id: int) -> ResponseReturnValue:
    found = load_answer(answer_id)
    return _store(partial(operations.change_answer, found), AnswerForm(), found)


@bp.post("/admin/answers/<id:answer_id>/delete")
@often
def delete_answer(answer_id: int) -> ResponseReturnValue:
    operations.remove_answer(load_answer(answer_id), by=current_user)
    return _saved("Answer removed.")


def _store(operation: Callable[..., None], form: AnswerForm, found: CannedAnswer | None = None) -> ResponseReturnValue:
    """Store what a form says, or show it again with what is wrong."""
    try:
        operation(form.title.data or "", form.text.data or "", by=current_user)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(form, found), 422
    return _saved("Answer saved.")


def _saved(sentence: str) -> ResponseReturnValue:
    db.session.commit()
    flash(sentence)
    return redirect(addresses.admin_answers(), 303)


def _page(form: AnswerForm, found: CannedAnswer | None = None) -> str:
    return render_template("moderation/answers.html", form=form, found=found, answers=queries.all_answers())
