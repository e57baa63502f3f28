"""Links from e-mails: confirm an address, choose a new password. What a link does is done by a button on its page.

Mail programs open links to look at them; so a link alone changes nothing.
"""

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.email import operations
from app.accounts.email.forms import ForgottenForm, NewPasswordForm
from app.accounts.models import User
from app.core.database import reads_only
from app.extensions import db, limiter
from app.mail.links import open_link
from app.mail.models import CONFIRM, RESET, MailLink
from app.web import limits
from app.web.members import open_to_strangers
from app.web.standing import frozen_too

bp = Blueprint("email", __name__)


@bp.get("/confirm/<token>")
@open_to_strangers
@limiter.limit(limits.MAIL_LINK)
@reads_only
def confirm_email(token: str) -> ResponseReturnValue:
    link = open_link(token, CONFIRM)
    owner = _owner(link)
    return render_template("accounts/confirm_email.html", owner=owner, link=link) if owner else _over(CONFIRM)


@bp.post("/confirm/<token>", endpoint="create_confirmation")
@frozen_too
@open_to_strangers
@limiter.limit(limits.MAIL_LINK)
def create_confirmation(token: str) -> ResponseReturnValue:
    link = open_link(token, CONFIRM)
    owner = link and operations.confirm(link)
    db.session.commit()
    if not owner:
        return _over(CONFIRM)
    flash(f"{owner.email} is confirmed.")
    return redirect(addresses.home(), 303)


@bp.post("/settings/email/confirm", endpoint="send_confirmation")
@frozen_too
@login_required
@limiter.limit(limits.MAIL, key_func=limits.account_or_address)
def send_confirmation() -> ResponseReturnValue:
    """Send the link once more."""
    user: User = current_user
    if user.email_confirmed_at is None:
        operations.ask_to_confirm(user)
        db.session.commit()
        flash(f"We’ve sent a link to {user.email}.")
    return redirect(addresses.settings("email"), 303)


@bp.route("/reset", methods=["GET", "POST"], endpoint="forgot_password")
@frozen_too
@open_to_strangers
@limiter.limit(limits.RESET_PER_ADDRESS, methods=["POST"])
@limiter.limit(limits.RESET_PER_EMAIL, methods=["POST"], key_func=limits.named_email)
def forgot_password() -> ResponseReturnValue:
    form = ForgottenForm()
    if form.validate_on_submit():
        operations.ask_for_reset(form.email.data or "")
        db.session.commit()
        flash(_what_follows())
        return redirect(addresses.log_in(), 303)
    page = render_template("accounts/forgot_password.html", form=form, has_mail=_has_mail())
    return page, 422 if form.is_submitted() else 200


def _what_follows() -> str:
    if _has_mail():
        return "If an account has that address, a link to choose a new password is on its way. It works for 30 minutes."
    return "Noted. This site can’t send email, so ask the people who run it: they can give you a link."


@bp.route("/reset/<token>", methods=["GET", "POST"], endpoint="reset_password")
@frozen_too
@open_to_strangers
@limiter.limit(limits.MAIL_LINK)
def reset_password(token: str) -> ResponseReturnValue:
    link = open_link(token, RESET)
    owner = _owner(link)
    if link is None or owner is None:
        return _over(RESET)
    form = NewPasswordForm()
    if not form.validate_on_submit():
        page = render_template("accounts/reset_password.html", form=form, owner=owner)
        return page, 422 if form.is_submitted() else 200
    done = operations.reset_password(link, form.password.data or "")
    db.session.commit()
    if done is None:
        return _over(RESET)
    flash("Your password has been changed, and all devices have been logged out. Log in with the new one.")
    return redirect(addresses.log_in(), 303)


def _owner(link: MailLink | None) -> User | None:
    """Return whose link this is, if it is still about the address that they have."""
    owner = db.session.get(User, link.user_id) if link else None
    return owner if owner and link and owner.deleted_at is None and owner.email == link.email else None


def _over(purpose: str) -> ResponseReturnValue:
    return render_template("accounts/link_over.html", is_reset=purpose == RESET), 410


def _has_mail() -> bool:
    return bool(current_app.config["SMTP_URL"])
