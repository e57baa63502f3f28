"""Jump to a day of one's home feed."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.reader import zone_of
from app.core.database import reads_only
from app.core.days import BadDay, read_day
from app.extensions import limiter
from app.web import limits
from app.web.paging import at_day, zone_for_day

bp = Blueprint("feed_jump", __name__)


@bp.get("/feed/jump")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def jump() -> ResponseReturnValue:
    """Lead to what was newest in the feed on a day."""
    try:
        day = read_day(request.args["date"]) if "date" in request.args else None
    except BadDay as error:
        return render_template("feed/jump.html", error=error), 422
    if day is None:
        return render_template("feed/jump.html")
    zone, top = zone_for_day(zone_of(current_user)), addresses.home()
    return redirect(at_day("home", day, zone=zone, viewer_id=current_user.id, path=addresses.feed(), top=top), 303)
