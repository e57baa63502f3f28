"""Who runs the site: admins give and take roles."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.accounts.models import User
from app.accounts.queries import user_by_handle
from app.core.errors import Refused
from app.extensions import db, limiter
from app.moderation.roles import operations, queries
from app.moderation.roles.forms import RoleForm
from app.web import limits
from app.web.admin import admin_page
from app.web.forms import show_refusal
from app.web.sudo import asks_again

bp = Blueprint("roles", __name__, url_prefix="/admin")

A_ROLE = {"admin": "an admin", "moderator": "a moderator", "member": "a member like everyone else"}


@bp.route("/roles", methods=["GET", "POST"])
@admin_page("Roles", "Who runs this site with you", place=1)
@asks_again
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def roles() -> ResponseReturnValue:
    """Show who runs the site; give somebody a role, or take it."""
    form = RoleForm(handle=request.args.get("handle", ""))
    if not form.validate_on_submit():
        return _page(form)
    handle = (form.handle.data or "").strip().removeprefix("@")
    person = user_by_handle(handle)
    if person is None:
        form.handle.errors = [f"There’s nobody called @{handle}."]
        return _page(form)
    by: User = current_user
    try:
        is_new = operations.change_role(person, form.role.data, by=by, reason=form.reason.data or "")
    except Refused as refusal:
        show_refusal(form, refusal)
        return _page(form)
    db.session.commit()
    flash(f"@{person.handle} is {'now' if is_new else 'already'} {A_ROLE[person.role]}.")
    return redirect(addresses.admin_roles(), 303)


def _page(form: RoleForm) -> ResponseReturnValue:
    page = render_template("moderation/roles.html", form=form, staff=queries.staff())
    return page, 422 if form.is_submitted() else 200
