"""Settings of an account: profile, e-mail, password, sessions, appearance, deletion."""

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required, logout_user
from flask_wtf import FlaskForm
from werkzeug.exceptions import BadRequest
from wtforms import PasswordField

from app.accounts import avatars, operations, passwords, sessions
from app.accounts.email import operations as addresses
from app.accounts.forms import DeleteAccountForm, EmailForm, PasswordForm, ProfileForm, TimeZoneForm
from app.accounts.models import DESCRIPTIONS, User
from app.core import clock, zones
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.web import limits
from app.web.appearance import CHOICES
from app.web.assets import A_YEAR
from app.web.forms import show_refusal
from app.web.htmx import own_page
from app.web.settings import ACCOUNT, YOU, settings_page
from app.web.standing import frozen_too
from app.web.uploads import takes_files

bp = Blueprint("settings", __name__, url_prefix="/settings")


@bp.before_request
@login_required
def require_login() -> None:
    """Keep strangers out of every page below /settings, also of those not yet written."""


@bp.get("/")
@reads_only
def index() -> ResponseReturnValue:
    return render_template("settings/index.html")


@bp.route("/profile", methods=["GET", "POST"])
@settings_page(YOU, "Profile", "Your name, picture and bio", place=1)
@takes_files("avatar", max_bytes=lambda config: int(config["AVATAR_MAX_BYTES"]))
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def profile() -> ResponseReturnValue:
    form = ProfileForm(data={"name": current_user.name, "bio": current_user.bio})
    if form.validate_on_submit():
        try:
            _save_avatar(form)
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            operations.change_profile(current_user, name=form.name.data or "", bio=form.bio.data or "")
            return _saved("settings.profile", "Profile saved.")
    elif form.is_submitted():
        _check_avatar(form)
    return _page("settings/profile.html", form)


def _check_avatar(form: ProfileForm) -> None:
    """Say what is wrong with a picture, too, where something else is."""
    if form.avatar.data and form.avatar.data.filename:
        try:
            avatars.square_of(form.avatar.data.stream)
        except Refused as refusal:
            show_refusal(form, refusal)


def _save_avatar(form: ProfileForm) -> None:
    upload = form.avatar.data
    if upload and upload.filename:
        operations.change_avatar(current_user, avatars.save(upload.stream))
    elif form.remove_avatar.data:
        operations.change_avatar(current_user, None)


@bp.route("/email", methods=["GET", "POST"])
@settings_page(ACCOUNT, "Email", "Your address, never shown to anyone", place=1)
@limiter.limit(limits.PASSWORD_CHECK, methods=["POST"], key_func=limits.account_or_address)
def email() -> ResponseReturnValue:
    form = EmailForm()
    if _is_accepted(form):
        addresses.change_email(current_user, form.email.data or "")
        return _saved("settings.email", _what_follows(current_user))
    return _page("settings/email.html", form)


def _what_follows(user: User) -> str:
    if user.email_confirmed_at is not None or not current_app.config["SMTP_URL"]:
        return "Email address updated."
    return "Email address updated. To confirm it, open the link that’s on its way there."


@bp.route("/password", methods=["GET", "POST"])
@frozen_too
@settings_page(ACCOUNT, "Password", "Change your password", place=2)
@limiter.limit(limits.PASSWORD_CHECK, methods=["POST"], key_func=limits.account_or_address)
def password() -> ResponseReturnValue:
    form = PasswordForm()
    if _is_accepted(form):
        addresses.change_password(current_user, form.password.data or "")
        return _saved("settings.password", "Password changed. All other devices have been logged out.")
    return _page("settings/password.html", form)


@bp.get("/sessions", endpoint="sessions")
@settings_page(ACCOUNT, "Devices", "Where you’re logged in", place=4)
@reads_only
def list_sessions() -> ResponseReturnValue:
    return render_template("settings/sessions.html", sessions=sessions.sessions_of(current_user))


@bp.post("/sessions/<id:session_id>/delete")
@frozen_too
def revoke_session(session_id: int) -> ResponseReturnValue:
    sessions.revoke(session_id, of=current_user)
    return _saved("settings.sessions", "Device logged out.")


@bp.post("/sessions/delete")
@frozen_too
def revoke_other_sessions() -> ResponseReturnValue:
    sessions.revoke_all(current_user, but=current_user.session_id)
    return _saved("settings.sessions", "All other devices have been logged out.")


@bp.route("/appearance", methods=["GET", "POST"])
@frozen_too
@settings_page(YOU, "Appearance", "Light or dark, roomy or compact", place=3)
def appearance() -> ResponseReturnValue:
    if request.method != "POST":
        return render_template("settings/appearance.html")
    chosen = {name: request.form[name] for name in CHOICES if name in request.form}
    if not chosen or any(value not in CHOICES[name] for name, value in chosen.items()):
        raise BadRequest("Choose one of the options on the page.")
    response = redirect(own_page(request.form.get("next"), default=url_for("settings.appearance")), 303)
    for name, value in chosen.items():
        response.set_cookie(name, value, max_age=A_YEAR, samesite="Lax", httponly=True, secure=request.is_secure)
    return response


@bp.route("/writing", methods=["GET", "POST"])
@settings_page(YOU, "Writing", "Whether to be reminded of descriptions", place=4)
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def writing() -> ResponseReturnValue:
    if request.method != "POST":
        return render_template("settings/writing.html")
    descriptions = request.form.get("descriptions", "")
    if descriptions not in DESCRIPTIONS:
        raise BadRequest("Choose one of the options on the page.")
    operations.choose_descriptions(current_user, descriptions)
    return _saved("settings.writing", "Saved.")


@bp.route("/time-zone", methods=["GET", "POST"])
@frozen_too
@settings_page(YOU, "Time zone", "Which days and times you see", place=5)
@limiter.limit(limits.SETTINGS, methods=["POST"], key_func=limits.account_or_address)
def time_zone() -> ResponseReturnValue:
    form = TimeZoneForm(data={"time_zone": current_user.time_zone or zones.UTC})
    form.offer(current_user.time_zone)
    if form.validate_on_submit():
        try:
            operations.choose_time_zone(current_user, form.time_zone.data or "")
        except Refused as refusal:
            show_refusal(form, refusal)
            form.time_zone.data = current_user.time_zone or zones.UTC  # or the first of all would be selected
        else:
            return _saved("settings.time_zone", "Time zone saved.")
    return _page("settings/time_zone.html", form, now=clock.now())


@bp.post("/time-zone/guess")
@frozen_too
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def guess_time_zone() -> ResponseReturnValue:
    """Take the browser's word for the time zone of an account that has none."""
    operations.guess_time_zone(request.form.get("time_zone", ""), by=current_user.id)
    db.session.commit()
    return "", 204


@bp.route("/delete", methods=["GET", "POST"])
@frozen_too
@settings_page(ACCOUNT, "Delete account", "Delete your account for good", place=9)
@limiter.limit(limits.PASSWORD_CHECK, methods=["POST"], key_func=limits.account_or_address)
def delete_account() -> ResponseReturnValue:
    form = DeleteAccountForm()
    if _is_accepted(form):
        try:
            operations.delete_account(current_user)
        except operations.LastAdmin as refusal:
            show_refusal(form, refusal)
            return _page("settings/delete_account.html", form)
        db.session.commit()
        logout_user()
        session.clear()
        flash("Your account has been deleted. Goodbye, and thank you.")
        return redirect(url_for("feed.home"), 303)
    return _page("settings/delete_account.html", form)


def _is_accepted(form: FlaskForm) -> bool:
    """Say whether a form was sent and nothing is wrong in it. Its password is checked whatever else is wrong."""
    return form.is_submitted() and all([form.validate(), _password_is_right(form.current_password)])


def _password_is_right(field: PasswordField) -> bool:
    if field.errors:
        return False
    if passwords.verify_password(current_user.password_hash, (field.data or "")[: passwords.MAX_LENGTH + 1]):
        return True
    field.errors = ["That’s not your password."]
    return False


def _page(template: str, form: FlaskForm, **context: object) -> ResponseReturnValue:
    return render_template(template, form=form, **context), 422 if form.is_submitted() else 200


def _saved(endpoint: str, sentence: str) -> ResponseReturnValue:
    db.session.commit()
    flash(sentence)
    return redirect(url_for(endpoint), 303)
