"""Settings about people: who may follow one and see what one writes."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.extensions import db, limiter
from app.social import operations
from app.web import limits
from app.web.settings import YOU, settings_page

bp = Blueprint("privacy", __name__, url_prefix="/settings")


@bp.route("/privacy", methods=["GET", "POST"])
@settings_page(YOU, "Privacy", "Who can follow you and see your posts", place=2)
@login_required
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def privacy() -> ResponseReturnValue:
    if request.method != "POST":
        return render_template("settings/privacy.html")
    is_private = "is_private" in request.form
    operations.set_private(current_user, is_private)
    db.session.commit()
    flash(
        "Your account is now private. Only people you approve can see your posts, old ones too."
        if is_private
        else "Your account is now public. Anyone can see your posts, old ones too, unless you limited who can."
    )
    return redirect(url_for("privacy.privacy"), 303)
