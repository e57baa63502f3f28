"""Everybody's invites, for admins."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.joining import queries
from app.accounts.models import User
from app.core.database import reads_only
from app.extensions import db, limiter
from app.moderation.invites import operations
from app.web import limits
from app.web.admin import admin_page
from app.web.htmx import wants_fragment
from app.web.paging import read_page

bp = Blueprint("invites", __name__, url_prefix="/admin")


@bp.get("/invites")
@admin_page("Invites", "Who invites whom, and links that still work", place=5)
@reads_only
def invites() -> ResponseReturnValue:
    """Show everybody's invites, the newest first."""
    page = read_page("invites", queries.all_invites, viewer_id=current_user.id)
    template = "moderation/_invites.html" if wants_fragment() else "moderation/invites.html"
    return render_template(template, page=page)


@bp.post("/invites/<id:invite_id>/delete")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_invite(invite_id: int) -> ResponseReturnValue:
    """Have anybody's invite work no longer."""
    by: User = current_user
    if not operations.revoke(invite_id, by=by):
        raise NotFound("This invite doesn’t work any more.")
    db.session.commit()
    flash("Revoked. The link doesn’t work any more.")
    return redirect(addresses.admin_invites(), 303)
