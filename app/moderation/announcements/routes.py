"""Announcements above feeds: written by admins."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from sqlalchemy import select
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.models import User
from app.core import clock
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.announcements import operations
from app.moderation.announcements.forms import AnnouncementForm
from app.site.markup import to_html
from app.site.models import AnnouncementRow
from app.web import limits
from app.web.admin import admin_page
from app.web.forms import show_refusal

bp = Blueprint("announcements", __name__, url_prefix="/admin")
MOST_SHOWN = 50


@bp.route("/announcements", methods=["GET", "POST"])
@admin_page("Announcements", "What everybody sees above their feed", place=3)
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def announcements() -> ResponseReturnValue:
    """Show what was announced, the newest first; announce something."""
    form = AnnouncementForm()
    if not form.validate_on_submit():
        return _page(form)
    by: User = current_user._get_current_object()
    try:
        operations.announce(form.text.data or "", starts=form.starts.data or "", ends=form.ends.data or "", by=by)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(form)
    db.session.commit()
    flash("Announced.")
    return redirect(addresses.announcements(), 303)


@bp.post("/announcements/<id:announcement_id>/delete")
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_announcement(announcement_id: int) -> ResponseReturnValue:
    """Take an announcement back."""
    if not operations.take_back(announcement_id, by=current_user._get_current_object()):
        raise NotFound("This announcement has been deleted already.")
    db.session.commit()
    flash("Deleted.")
    return redirect(addresses.announcements(), 303)


def _page(form: AnnouncementForm) -> ResponseReturnValue:
    newest = select(AnnouncementRow).order_by(AnnouncementRow.id.desc()).limit(MOST_SHOWN)
    shown = [(row, to_html(row.text)) for row in db.session.scalars(newest)]
    page = render_template("moderation/announcements.html", form=form, announcements=shown, now=clock.now())
    return page, 422 if form.is_submitted() else 200
