"""Settings → Second factor: an authenticator app, and recovery codes. And who must have one."""

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from markupsafe import Markup
from werkzeug.exceptions import Forbidden

from app import addresses
from app.accounts.factors import codes, operations, queries
from app.accounts.factors.forms import NewAppForm
from app.accounts.factors.policy import is_needed
from app.accounts.models import User
from app.accounts.passkeys.queries import passkeys_of
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.site.settings import the_site
from app.web import limits
from app.web.admin import is_below_admin
from app.web.forms import show_refusal
from app.web.settings import ACCOUNT, settings_page
from app.web.standing import frozen_too
from app.web.sudo import asks_again

bp = Blueprint("factors", __name__, url_prefix="/settings/factors")
NEEDED = "To help run this site you need a second factor. Set it up here."


@bp.before_app_request
def demand_factor_of_staff() -> ResponseReturnValue | None:
    """Keep those who run the site out of its pages until they have a second factor, if the site wants it so."""
    if not current_app.config["REQUIRE_STAFF_FACTOR"] or request.url_rule is None:
        return None
    is_theirs = is_below_admin(request.url_rule.rule) and current_user.is_authenticated and current_user.is_staff
    if not is_theirs or queries.has_factor(current_user.id):
        return None
    if request.method not in {"GET", "HEAD"}:
        raise Forbidden(NEEDED)
    flash(NEEDED)
    return redirect(addresses.settings("factors"), 303)


@bp.get("")
@settings_page(ACCOUNT, "Second factor", "A code or a passkey as well as your password", place=3)
@login_required
@reads_only
def factors() -> ResponseReturnValue:
    app, passkeys = queries.app_of(current_user.id), passkeys_of(current_user.id)
    left = queries.codes_left(current_user.id) if app or passkeys else 0
    return render_template(
        "settings/factors.html", app=app, passkeys=passkeys, left=left, is_needed=is_needed(_current_user())
    )


@bp.post("/new", endpoint="offer_app")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def offer_app() -> ResponseReturnValue:
    """Show a square to be read by an app. Nothing is switched on yet."""
    return _offer_page(NewAppForm(formdata=None, offer=codes.offer_secret(current_user.id)))


@bp.post("", endpoint="create_app")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.CODE, key_func=limits.account_or_address)
def create_app() -> ResponseReturnValue:
    """Switch the app on, once it has shown a right code."""
    form, user = NewAppForm(), _current_user()
    if not form.validate_on_submit():
        return _offer_page(form)
    try:
        made = operations.switch_on(user, offer=form.offer.data or "", code=form.code.data or "")
    except Refused as refusal:
        show_refusal(form, refusal)
        return _offer_page(form)
    db.session.commit()
    return render_template("settings/recovery_codes.html", codes=made, is_new=True)


@bp.post("/codes", endpoint="create_codes")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def create_codes() -> ResponseReturnValue:
    made = operations.renew_recovery_codes(_current_user())
    db.session.commit()
    if not made:
        return redirect(addresses.settings("factors"), 303)
    return render_template("settings/recovery_codes.html", codes=made, is_new=False)


@bp.post("/delete", endpoint="delete_app")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_app() -> ResponseReturnValue:
    user = _current_user()
    if operations.switch_off(user):
        if not queries.has_factor(user.id):
            if is_needed(_current_user()):
                raise Forbidden("Your role needs a second factor, so it can’t be switched off.")
            flash("Your second factor is off. Your password alone opens your account again.")
        else:
            flash("Your app isn’t asked for any more. Your passkeys go on working.")
    db.session.commit()
    return redirect(addresses.settings("factors"), 303)


def _offer_page(form: NewAppForm) -> ResponseReturnValue:
    """Return the page with the square, or the first page again if what was offered is worth nothing any more."""
    secret = codes.offered_secret(form.offer.data or "", current_user.id)
    if secret is None:
        flash("That page was open too long. Start again, with a new square.")
        return redirect(addresses.settings("factors"), 303)
    address = codes.address_of(secret, handle=current_user.handle, site=the_site().name)
    key = " ".join(secret[start : start + 4] for start in range(0, len(secret), 4))
    square = Markup(codes.square_of(address))  # noqa: S704  # made of numbers alone
    page = render_template("settings/new_factor.html", form=form, square=square, key=key, address=address)
    return page, 422 if form.errors else 200


def _current_user() -> User:
    user: User = current_user._get_current_object()
    return user
