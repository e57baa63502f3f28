"""Admin → Access: help people who cannot log in."""

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.mail.links import address_of
from app.moderation.access import operations, queries
from app.moderation.access.forms import HelpForm
from app.web import limits
from app.web.admin import admin_page
from app.web.forms import show_refusal
from app.web.sudo import asks_again

bp = Blueprint("access", __name__, url_prefix="/admin/access")


@bp.get("")
@admin_page("Access", "Help people who can’t log in", place=3)
@reads_only
def access() -> ResponseReturnValue:
    """Find a person, and show how they get in."""
    form = HelpForm(formdata=None, handle=request.args.get("handle", "")[:31])
    if form.handle.data and _person(form) is None:
        return _page(form), 404
    return _page(form)


@bp.post("/link", endpoint="create_link")
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def create_link() -> ResponseReturnValue:
    """Make a link for a new password, and show it this once."""
    form, by = HelpForm(), _by()
    person = _person(form)
    if not form.validate() or person is None:
        return _page(form), 422
    try:
        link = operations.make_reset_link(person, by=by, reason=form.reason.data or "")
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(form), 422
    made = address_of(link)
    db.session.commit()
    return _page(form, made=made)


@bp.post("/factor/delete", endpoint="delete_factor")
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_factor() -> ResponseReturnValue:
    form, by = HelpForm(), _by()
    person = _person(form)
    if not form.validate() or person is None:
        return _page(form), 422
    operations.remove_factor(person, by=by, reason=form.reason.data or "")
    db.session.commit()
    flash(f"@{person.handle} logs in with the password alone now.")
    return redirect(addresses.admin_access(handle=person.handle), 303)


def _person(form: HelpForm) -> User | None:
    """Return whom a form names, or say at its field that there is nobody."""
    handle = (form.handle.data or "").strip().removeprefix("@")
    person = user_by_handle(handle) if handle else None
    if person is None and handle:
        form.handle.errors = [f"There’s nobody called @{handle}."]
    return person


def _page(form: HelpForm, *, made: str = "") -> str:
    person = _person(form)
    access = queries.access_of(person) if person else None
    config = current_app.config
    has_own_address = bool(config["SMTP_URL"]) or not config["SITE_URL"].startswith("http://127.0.0.1")
    return render_template(
        "moderation/access.html",
        form=form,
        access=access,
        made=made,
        has_mail=bool(config["SMTP_URL"]),
        has_own_address=has_own_address,
    )


def _by() -> User:
    user: User = current_user._get_current_object()
    return user
