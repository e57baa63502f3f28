"""The queue of posts that rules hold: approve or decline them, one by one or several at once."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.accounts.models import User
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.held import operations, queries
from app.moderation.held.forms import HeldForm
from app.moderation.held.operations import Outcome
from app.web import limits
from app.web.admin import admin_page, moderators_too
from app.web.forms import show_refusal

bp = Blueprint("held", __name__, url_prefix="/admin")


@bp.get("/held")
@admin_page("Held posts", "Posts that a rule holds until one of you has looked at them", place=4)
@moderators_too
@reads_only
def held() -> ResponseReturnValue:
    """Show the posts that wait, the oldest first."""
    return _page(HeldForm(formdata=None))


@bp.post("/held")
@moderators_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def decide() -> ResponseReturnValue:
    """Approve or decline: `approve` and `decline` name one post, or say “all” of those that are ticked."""
    form, approve = HeldForm(), "approve" in request.form
    only = request.form.get("approve" if approve else "decline", "")
    if not form.validate():
        return _page(form), 422
    try:
        by = db.session.get_one(User, current_user.id)
        chosen = form.chosen("" if only == "all" else only)
        outcome = operations.decide(chosen, by=by, approve=approve, reason=form.reason.data or "")
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _page(form), 422
    db.session.commit()
    for sentence in _sentences(outcome, approve=approve):
        flash(sentence)
    return redirect(addresses.admin_held(), 303)


def _sentences(outcome: Outcome, *, approve: bool) -> list[str]:
    """Say what was done and what was not."""
    done = "Approved" if approve else "Declined"
    told = {
        f"{done}: {_posts(outcome.decided)}.": outcome.decided,
        f"Someone was quicker with {_posts(outcome.too_late)}: nothing was changed there.": outcome.too_late,
        f"{_posts(outcome.changed).capitalize()} changed since you read it. Look again.": outcome.changed,
        f"You can’t decide about {_posts(outcome.not_allowed)}: ask another admin.": outcome.not_allowed,
    }
    return [sentence for sentence, number in told.items() if number]


def _posts(number: int) -> str:
    return "one post" if number == 1 else f"{number} posts"


def _page(form: HeldForm) -> str:
    waiting, number = queries.held_posts(), queries.number_held()
    return render_template("moderation/held.html", waiting=waiting, number=number, form=form)
