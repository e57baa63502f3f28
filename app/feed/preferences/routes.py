"""Settings about the home feed."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import BadRequest

from app.accounts import operations
from app.extensions import db, limiter
from app.feed.rules.repeat import REPEAT_HOURS
from app.web import limits
from app.web.settings import WHAT_YOU_SEE, settings_page

TOGETHER, APART = "together", "apart"

bp = Blueprint("preferences", __name__, url_prefix="/settings")


@bp.route("/feed", methods=["GET", "POST"])
@settings_page(WHAT_YOU_SEE, "Feed", "How conversations look, and when reposts can show up again", place=1)
@login_required
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def feed() -> ResponseReturnValue:
    layout = TOGETHER if current_user.groups_conversations else APART
    start = "top" if current_user.starts_at_top else "oldest"
    if request.method != "POST":
        return render_template("settings/feed.html", hours=current_user.repeat_hours, layout=layout)
    hours, layout = request.form.get("repeat_hours", type=int), request.form.get("conversations", layout)
    if hours not in REPEAT_HOURS or layout not in {TOGETHER, APART}:
        raise BadRequest("Choose one of the options on the page.")
    operations.choose_reposts(current_user, repeat_hours=hours, hides_own="hides_own_reposts" in request.form)
    operations.choose_layout(current_user, groups_conversations=layout == TOGETHER)
    operations.choose_start(current_user, at_top=request.form.get("start", start) == "top")
    db.session.commit()
    flash("Saved. This covers old posts too.")
    return redirect(url_for("preferences.feed"), 303)
