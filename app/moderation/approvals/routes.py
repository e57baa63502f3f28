"""Those who ask to join: moderators let them in, or turn them down with a reason."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.accounts.joining import queries
from app.accounts.models import User
from app.core.errors import Refused
from app.core.ids import MAX_ID
from app.extensions import db, limiter
from app.moderation.approvals import operations
from app.web import limits
from app.web.admin import admin_page, moderators_too
from app.web.paging import read_page

bp = Blueprint("approvals", __name__, url_prefix="/admin")
MAX_CHOSEN = 100


@bp.route("/approvals", methods=["GET", "POST"])
@admin_page("Sign-ups", "People who ask to join", place=4)
@moderators_too
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def approvals() -> ResponseReturnValue:
    """Show who waits, the longest first; approve or decline those that are chosen."""
    if request.method == "GET":
        return _page()
    chosen = [int(each) for each in request.form.getlist("request")[:MAX_CHOSEN] if _is_id(each)]
    reason, by = request.form.get("reason", ""), current_user._get_current_object()
    try:
        if not chosen:
            raise operations.BadDecision("Choose at least one person first.")
        decided = operations.decide(chosen, request.form.get("decision", ""), by=by, reason=reason)
    except Refused as refusal:
        db.session.rollback()
        return _page(error=str(refusal), chosen=chosen, reason=reason), 422
    said = _words([each.handle for each in decided], request.form["decision"])
    db.session.commit()
    flash(said)
    return redirect(addresses.approvals(), 303)


def _page(*, error: str = "", chosen: list[int] | None = None, reason: str = "") -> str:
    viewer: User = current_user
    page = read_page("approvals", queries.waiting_requests, viewer_id=viewer.id)
    return render_template("moderation/approvals.html", page=page, error=error, chosen=chosen or [], reason=reason)


def _words(handles: list[str], decision: str) -> str:
    if not handles:
        return "Somebody else was quicker: that had been decided already."
    names = ", ".join(f"@{handle}" for handle in handles)
    return f"Approved: {names}. They can log in now." if decision == operations.APPROVE else f"Declined: {names}."


def _is_id(typed: str) -> bool:
    return typed.isascii() and typed.isdigit() and len(typed) < 17 and int(typed) <= MAX_ID
