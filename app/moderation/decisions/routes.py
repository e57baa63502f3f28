"""What was decided about oneself: read, acknowledge, appeal. A suspended person reaches nothing but this."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.models import User
from app.core.database import on_primary, reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.actions.kinds import WARN
from app.moderation.actions.models import ModerationAction
from app.moderation.appeals import operations as appeals
from app.moderation.decisions import operations, queries
from app.moderation.decisions.forms import AppealForm
from app.web import limits
from app.web.forms import show_refusal
from app.web.standing import suspended_too

bp = Blueprint("decisions", __name__)


@bp.get("/decisions")
@suspended_too
@login_required
@reads_only
def decisions() -> ResponseReturnValue:
    """Show all decisions about the viewer."""
    return render_template("moderation/decisions.html", decisions=queries.decisions_about(current_user))


@bp.get("/decisions/<id:action_id>")
@suspended_too
@login_required
@reads_only
def decision(action_id: int) -> ResponseReturnValue:
    """Show one decision. A warning is only read when its reader says so."""
    action = _load(action_id)
    if action.told_at is None and (action.kind is not WARN or action.is_undone):
        with on_primary():
            operations.note_told(action, by=_by())
            db.session.commit()
        action = _load(action_id)
    return _page(action, AppealForm())


@bp.post("/decisions/<id:action_id>/acknowledge")
@suspended_too
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def acknowledge(action_id: int) -> ResponseReturnValue:
    """Note that a warning was read, and let its reader go on."""
    operations.note_told(_load(action_id), by=_by())
    db.session.commit()
    return redirect(addresses.home(), 303)


@bp.post("/decisions/<id:action_id>/appeal")
@suspended_too
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def appeal(action_id: int) -> ResponseReturnValue:
    action, form = _load(action_id), AppealForm()
    if not form.validate_on_submit():
        return _page(action, form), 422
    try:
        appeals.appeal(action, form.text.data or "", by=_by())
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(action, form), 422
    db.session.commit()
    flash("Your appeal has been sent. Someone who runs this site will read it.")
    return redirect(addresses.decision(action_id), 303)


def _by() -> User:
    return db.session.get_one(User, current_user.id)


def _load(action_id: int) -> ModerationAction:
    action = queries.decision_about(current_user, action_id)
    if action is None:
        raise NotFound("This decision doesn’t exist or isn’t about you.")
    return action


def _page(action: ModerationAction, form: AppealForm) -> str:
    return render_template("moderation/decision.html", action=action, form=form)
