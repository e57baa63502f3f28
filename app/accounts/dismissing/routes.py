"""Announcements, as readers dismiss them."""

from __future__ import annotations

from flask import Blueprint, redirect
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts import operations
from app.extensions import db, limiter
from app.feed.home.frame import render_announcement
from app.site import settings
from app.web import limits
from app.web.csrf import current_token
from app.web.htmx import wants_fragment

bp = Blueprint("dismissing", __name__)


@bp.post("/announcements/<id:announcement_id>/dismiss")
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def dismiss(announcement_id: int) -> ResponseReturnValue:
    """Show the viewer an announcement no more, and what comes after it."""
    operations.dismiss(announcement_id, by=current_user.id, current=settings.announced_ids())
    db.session.commit()
    if not wants_fragment():
        return redirect(addresses.home(), 303)
    return str(render_announcement(current_user.dismissed, current_token()))
