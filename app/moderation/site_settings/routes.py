"""The settings of the site: what it is called and looks like, who gets in, who sees it."""

from __future__ import annotations

import re

from flask import Blueprint, current_app, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import BadRequest

from app import addresses
from app.accounts.models import User
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.site_settings import operations
from app.moderation.site_settings.forms import SIGNUP_WORDS, SiteForm, shown
from app.site import icons, settings
from app.site.settings import Started, Stored
from app.web import limits
from app.web.admin import admin_page
from app.web.forms import show_refusal
from app.web.uploads import takes_files

bp = Blueprint("site_settings", __name__, url_prefix="/admin")


@bp.route("/settings", methods=["GET", "POST"])
@admin_page("Settings", "Name, colour, pages, who gets in and who sees it", place=2)
@takes_files("icon", max_bytes=lambda config: int(config["AVATAR_MAX_BYTES"] + config["MAX_CONTENT_LENGTH"]))
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def site_settings() -> ResponseReturnValue:
    """Show and change the settings of the site."""
    stored, started = settings.stored(), Started.of(current_app.config)
    form = SiteForm(data=shown(stored))
    form.offer(started)
    if not form.validate_on_submit():
        return _page(form, stored, started, 422 if form.is_submitted() else 200)
    try:
        changed = _save(form, stored)
    except Refused as refusal:
        db.session.rollback()
        show_refusal(form, refusal)
        return _page(form, stored, started, refusal.code)
    db.session.commit()
    flash("Saved. It counts from now on." if changed else "Nothing was different, so nothing was changed.")
    return redirect(addresses.site_settings(), 303)


def _save(form: SiteForm, stored: Stored) -> list[str]:
    typed = {field.name: field.data or "" for field in form if field.name in operations.CHECKS}
    by: User = current_user
    typed_version = form.version.data or ""
    if not re.fullmatch(r"[0-9]{1,15}", typed_version, flags=re.ASCII):
        raise BadRequest("Something of the form was missing. Go back, reload the page and send it again.")
    operations.checked(typed)  # before a file is written
    icon = None if form.remove_icon.data else stored.icon
    if form.icon.data and form.icon.data.filename:
        icon = icons.save(form.icon.data.stream)
    return operations.change_site(typed, icon=icon, version=int(typed_version), by=by)


def _page(form: SiteForm, stored: Stored, started: Started, status: int) -> ResponseReturnValue:
    words = started._asdict() | {"signups": SIGNUP_WORDS[started.signups].partition(":")[0].lower()}
    page = render_template("moderation/site_settings.html", form=form, stored=stored, started=words)
    return page, status
