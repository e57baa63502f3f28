"""Invites, as the person who sends them sees them; and what somebody sees who waits."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Forbidden, NotFound

from app import addresses
from app.accounts.joining import operations, queries
from app.accounts.joining.forms import InviteForm
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.site.settings import the_site
from app.web import limits
from app.web.forms import show_refusal
from app.web.members import open_to_strangers
from app.web.settings import ACCOUNT, settings_page

bp = Blueprint("joining", __name__)
INVITES = "invites"


@bp.get("/signup/waiting")
@open_to_strangers
@reads_only
def waiting() -> ResponseReturnValue:
    """Say that somebody has to decide; who asked is not known here, and learns more at the log-in."""
    return render_template("accounts/waiting.html", asked=None)


@bp.route("/settings/invites", methods=["GET", "POST"])
@settings_page(ACCOUNT, "Invites", "Links by which people can join", place=5)
@login_required
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def invites() -> ResponseReturnValue:
    """Show a member's invites, and make one."""
    may = the_site().lets_invite(is_staff=current_user.is_staff)
    form = InviteForm(data={"uses": "1", "lasts": "week", "follows": True})
    if form.is_submitted() and not may:
        raise Forbidden("Only admins and moderators can invite people here.")
    if form.validate_on_submit():
        try:
            operations.create_invite(
                by=current_user, uses=form.number, lasts=form.lasts.data, follows=bool(form.follows.data)
            )
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            db.session.commit()
            flash("Your invite is ready. Send its link to whom you want here.")
            return redirect(addresses.settings(INVITES), 303)
    sent = queries.invites_of(current_user)
    page = render_template("settings/invites.html", form=form, invites=sent, may=may, root=request.url_root[:-1])
    return page, 422 if form.is_submitted() else 200


@bp.post("/settings/invites/<id:invite_id>/delete")
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_invite(invite_id: int) -> ResponseReturnValue:
    """Have an invite work no longer; of another person's it does nothing."""
    if operations.revoke_invite(invite_id, of=current_user) is None:
        raise NotFound("This invite doesn’t work any more, or isn’t yours.")
    db.session.commit()
    flash("Revoked. The link doesn’t work any more.")
    return redirect(addresses.settings(INVITES), 303)
