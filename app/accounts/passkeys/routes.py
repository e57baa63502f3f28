"""Passkeys: log in with one, give one after the password, and those that a person has (Settings → Second factor)."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import BadRequest, Forbidden, NotFound

from app import addresses
from app.accounts import entering, sessions
from app.accounts.factors.forms import CodeForm
from app.accounts.factors.policy import is_needed
from app.accounts.factors.queries import ways_of
from app.accounts.forms import LogInForm
from app.accounts.models import User
from app.accounts.passkeys import operations, queries
from app.accounts.passkeys.challenges import ADD, CODE, LOG_IN, PROOF, new_challenge, take_challenge
from app.accounts.passkeys.forms import NameForm, NewPasskeyForm
from app.accounts.passkeys.models import Passkey
from app.accounts.passkeys.party import Party, party
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.posts.writing import composing
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import own_page
from app.web.members import open_to_strangers
from app.web.standing import frozen_too
from app.web.sudo import asks_again

bp = Blueprint("passkeys", __name__)
OFF = "Passkeys don’t work on this site: browsers need its address to be a name, with https."
bp.add_app_template_global(party, "passkey_site")
UNKNOWN = "That passkey doesn’t open an account here. Log in with your password."


# ---- Logging in


@bp.post("/login/passkey/ask", endpoint="ask_passkey")
@frozen_too
@open_to_strangers
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def ask_passkey() -> ResponseReturnValue:
    """Return what a browser is to let a passkey sign, for a script."""
    purpose, site = request.form.get("purpose"), _site()
    half = sessions.half_way()
    if purpose == LOG_IN:
        user_id = None
    elif purpose == CODE and half is not None:
        user_id = half[0].id
    elif purpose == PROOF and current_user.is_authenticated:
        user_id = current_user.id
    else:
        raise BadRequest
    options = queries.options_to_use(user_id, site=site, challenge=new_challenge(purpose), verifies=purpose != CODE)
    return Response(options, mimetype="application/json")


@bp.post("/login/passkey", endpoint="log_in_by_passkey")
@frozen_too
@open_to_strangers
@limiter.limit(limits.LOG_IN_PER_ADDRESS)
def log_in_by_passkey() -> ResponseReturnValue:
    """Log in by a passkey alone: it has checked who holds it, so it is both factors."""
    after = _after()
    if current_user.is_authenticated:
        return composing.go_on(after)
    form, challenge = LogInForm(), take_challenge(LOG_IN)
    user = operations.accept_answer(request.form.get("answer", ""), challenge=challenge, verifies=True)
    if user is None:
        flash(UNKNOWN)
        return render_template("accounts/log_in.html", form=form, next=after, typed=composing.typed()), 422
    return _let_in(user, remember=bool(form.remember.data), after=after)


@bp.post("/login/code/passkey", endpoint="give_passkey")
@open_to_strangers
@limiter.limit(limits.LOG_IN_PER_ADDRESS)
def give_passkey() -> ResponseReturnValue:
    """Log in by a passkey after the password."""
    after, found = _after(), sessions.half_way()
    if current_user.is_authenticated:
        return composing.go_on(after)
    if found is None:
        flash("That took too long. Enter your password again.")
        return composing.log_in_page() if composing.typed() else redirect(addresses.log_in(back=after), 303)
    user, remember = found
    answer = request.form.get("answer", "")
    if operations.accept_answer(answer, challenge=take_challenge(CODE), of=user.id, verifies=False):
        return _let_in(user, remember=remember, after=after)
    flash("That passkey doesn’t open this account. Try again, or enter a code.")
    form, typed = CodeForm(formdata=None), composing.typed()
    page = render_template("accounts/give_code.html", form=form, next=after, typed=typed, ways=ways_of(user.id))
    return page, 422


def _let_in(user: User, *, remember: bool, after: str) -> ResponseReturnValue:
    entering.log_in(user, remember=remember)
    db.session.commit()
    return entering.remember_browser(composing.go_on(after), user)


def _after() -> str:
    return own_page(request.form.get("next"), default=addresses.home())


# ---- Those that a person has


@bp.post("/settings/factors/passkeys/new", endpoint="offer_passkey")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def offer_passkey() -> ResponseReturnValue:
    """Show the page from which a browser makes a passkey. Nothing is added yet."""
    return _new_page(NewPasskeyForm(formdata=None))


@bp.post("/settings/factors/passkeys", endpoint="create_passkey")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def create_passkey() -> ResponseReturnValue:
    form = NewPasskeyForm()
    if not form.validate_on_submit():
        return _new_page(form)
    name, answer = form.name.data or "", form.answer.data or ""
    try:
        made = operations.add_passkey(_current_user(), challenge=take_challenge(ADD), answer=answer, name=name)
    except Refused as refusal:
        show_refusal(form, refusal)
        return _new_page(form)
    db.session.commit()
    if made:
        return render_template("settings/recovery_codes.html", codes=made, is_new=True, by_passkey=True)
    flash("Your passkey has been added.")
    return redirect(addresses.factors(), 303)


@bp.get("/settings/factors/passkeys/<int:passkey_id>")
@login_required
@reads_only
def passkey(passkey_id: int) -> ResponseReturnValue:
    found = _passkey(passkey_id)
    return _page_of(found, NameForm(obj=found))


@bp.post("/settings/factors/passkeys/<int:passkey_id>", endpoint="rename_passkey")
@frozen_too
@login_required
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def rename_passkey(passkey_id: int) -> ResponseReturnValue:
    form, found = NameForm(), _passkey(passkey_id)
    if not form.validate_on_submit():
        return _page_of(found, form), 422
    operations.rename_passkey(found, form.name.data or "")
    db.session.commit()
    return redirect(addresses.factors(), 303)


@bp.post("/settings/factors/passkeys/<int:passkey_id>/delete", endpoint="delete_passkey")
@frozen_too
@login_required
@asks_again
@limiter.limit(limits.SETTINGS, key_func=limits.account_or_address)
def delete_passkey(passkey_id: int) -> ResponseReturnValue:
    user = _current_user()
    try:
        was_theirs = operations.remove_passkey(user, passkey_id, needs_factor=is_needed(user))
    except Refused as refusal:
        raise Forbidden(str(refusal)) from refusal
    if not was_theirs:
        raise NotFound
    db.session.commit()
    flash("Your passkey has been removed. You can delete it from your device, too.")
    return redirect(addresses.factors(), 303)


def _new_page(form: NewPasskeyForm) -> ResponseReturnValue:
    """Return the page that lets a browser make a passkey, with a number that it has not signed yet."""
    site = _site()
    form.answer.data = ""
    options = queries.options_to_add(_current_user(), site=site, challenge=new_challenge(ADD))
    page = render_template("settings/new_passkey.html", form=form, options=options)
    return page, 422 if form.errors else 200


def _page_of(found: Passkey, form: NameForm) -> str:
    ways, number = ways_of(current_user.id), operations.number_of(current_user.id)
    is_last = is_needed(_current_user()) and not ways.app and number == 1
    return render_template("settings/passkey.html", form=form, passkey=found, is_last=is_last)


def _site() -> Party:
    site = party()
    if site is None:
        raise Forbidden(OFF)
    return site


def _passkey(passkey_id: int) -> Passkey:
    found = queries.passkey_of(current_user.id, passkey_id)
    if found is None:
        raise NotFound
    return found


def _current_user() -> User:
    return db.session.get_one(User, current_user.id)
