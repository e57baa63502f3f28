"""The queue of appeals: accept one, which undoes the decision, or decline it and say why."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.models import User
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.actions.models import ModerationAction
from app.moderation.appeals import operations, queries
from app.moderation.appeals.forms import ACCEPT, AnswerForm
from app.web import limits
from app.web.admin import admin_page, moderators_too
from app.web.forms import show_refusal

bp = Blueprint("appeals", __name__, url_prefix="/admin")


@bp.get("/appeals")
@admin_page("Appeals", "What people say to decisions about them", place=3)
@moderators_too
@reads_only
def appeals() -> ResponseReturnValue:
    """Show the appeals that wait for an answer, the oldest first."""
    return _page(AnswerForm())


@bp.post("/appeals/<id:action_id>")
@moderators_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def answer_appeal(action_id: int) -> ResponseReturnValue:
    action, form = db.session.get(ModerationAction, action_id), AnswerForm()
    if action is None:
        raise NotFound("There’s no such decision.")
    is_accepted = form.decision.data == ACCEPT
    answer = operations.accept if is_accepted else operations.decline
    if not form.validate_on_submit():
        return _page(form, answering=action_id), 422
    try:
        answer(action, by=db.session.get_one(User, current_user.id), answer=form.answer.data or "")
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(form, answering=action_id), 422
    db.session.commit()
    flash("Accepted. The decision is undone." if is_accepted else "Declined. The decision stays.")
    return redirect(addresses.admin_appeals(), 303)


def _page(form: AnswerForm, *, answering: int = 0) -> str:
    waiting, number = queries.waiting_appeals(), queries.number_waiting()
    empty = AnswerForm(formdata=None)
    return render_template(
        "moderation/appeals.html", waiting=waiting, number=number, form=form, empty=empty, answering=answering
    )
