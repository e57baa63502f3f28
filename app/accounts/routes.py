"""Come in and go out: first run, sign up, log in, log out."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Forbidden, NotFound

from app import addresses
from app.accounts import entering, passwords, queries, sessions
from app.accounts.email.operations import ask_to_confirm
from app.accounts.factors.forms import CodeForm
from app.accounts.factors.operations import accept_code, accept_recovery_code
from app.accounts.factors.queries import codes_left, has_factor, ways_of
from app.accounts.forms import LogInForm, SignUpForm
from app.accounts.joining import queries as joining
from app.accounts.joining.ways import NO_SIGNUPS, Joined, join, way_in
from app.accounts.models import User
from app.accounts.operations import AlreadySetUp, set_up_site
from app.core.database import reads_only
from app.core.errors import NotAllowed, Refused
from app.extensions import db, limiter
from app.posts.writing import composing
from app.site.models import APPROVAL, CLOSED, INVITE
from app.site.settings import the_site
from app.social.operations import follow
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import own_page
from app.web.members import open_to_strangers
from app.web.standing import frozen_too, suspended_too

bp = Blueprint("accounts", __name__)


@bp.before_app_request
def send_to_setup() -> ResponseReturnValue | None:
    """Lead the first visitor of a new site to the page that makes the admin account."""
    if request.endpoint not in {"feed.home", "accounts.create_account", "accounts.log_in"} or _is_set_up():
        return None
    return redirect(url_for("accounts.setup"), 303)


def _is_set_up() -> bool:
    """Ask the database until the answer is yes, which then holds for ever."""
    if not current_app.extensions.get("freshet.set_up"):
        current_app.extensions["freshet.set_up"] = queries.has_accounts()
    return bool(current_app.extensions["freshet.set_up"])


@bp.route("/setup", methods=["GET", "POST"])
@open_to_strangers
@limiter.limit(limits.SIGN_UP, methods=["POST"])
def setup() -> ResponseReturnValue:
    if _is_set_up():
        raise NotFound
    form = SignUpForm()
    if form.validate_on_submit():
        try:
            user = set_up_site(**_account_in(form))
        except AlreadySetUp as error:
            raise NotFound from error
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            return _welcome(user, remember=True)
    return render_template("accounts/setup.html", form=form), _status(form)


@bp.route("/signup", methods=["GET", "POST"], endpoint="create_account")
@open_to_strangers
@limiter.limit(limits.SIGN_UP, methods=["POST"])
def create_account() -> ResponseReturnValue:
    if current_user.is_authenticated:
        return redirect(url_for("feed.home"), 303)
    code = request.args.get("invite", "")
    invited = joining.invite_by_code(code)
    way = way_in(code, is_invited=invited is not None)
    form = SignUpForm()
    if form.validate_on_submit():
        try:
            return _come_in(join(way, _account_in(form), code=code, note=form.note.data or ""))
        except Refused as refusal:
            db.session.rollback()
            show_refusal(form, refusal)
    inviter = invited[1] if invited and way == INVITE else None
    page = render_template("accounts/create_account.html", form=form, inviter=inviter, asks=way == APPROVAL)
    return page, _status(form)


def _come_in(joined: Joined) -> ResponseReturnValue:
    """Welcome somebody who has an account now, or say that they have to wait."""
    if joined.user is None:
        db.session.commit()
        return redirect(addresses.waiting(), 303)
    if joined.follows is not None:
        with suppress(NotAllowed):  # the account of who invited them may be limited
            follow(db.session.get_one(User, joined.follows), by=joined.user)
    return _welcome(joined.user, remember=False)


@bp.get("/signup/handle")
@open_to_strangers
@limiter.limit(limits.READ)
@reads_only
def check_handle() -> ResponseReturnValue:
    """Say whether a handle can be had, while it is typed."""
    if the_site().signups == CLOSED:
        raise Forbidden(NO_SIGNUPS)
    form = SignUpForm(formdata=request.args)
    form.handle.validate(form, [SignUpForm.validate_handle])
    return render_template("accounts/_handle.html", field=form.handle)


@bp.route("/login", methods=["GET", "POST"], endpoint="log_in")
@frozen_too
@open_to_strangers
@limiter.limit(limits.LOG_IN_PER_ADDRESS, methods=["POST"])
@limiter.limit(limits.LOG_IN_PER_ACCOUNT, methods=["POST"], key_func=limits.named_account)
def log_in() -> ResponseReturnValue:
    after = own_page(request.values.get("next"), default=url_for("feed.home"))
    if current_user.is_authenticated:
        return composing.go_on(after)
    form = LogInForm()
    if form.validate_on_submit():
        user = queries.user_by_credentials(form.login.data or "", form.password.data or "")
        if user is not None:
            if passwords.needs_rehash(user.password_hash):
                user.password_hash = passwords.hash_password(form.password.data or "")
            remember = bool(form.remember.data)
            return (_ask_for_code if has_factor(user.id) else _let_in)(user, remember=remember, after=after)
        if asked := joining.request_by_credentials(form.login.data or "", form.password.data or ""):
            return render_template("accounts/waiting.html", asked=asked)
        form.password.errors = ["Wrong handle, email or password."]
    return render_template("accounts/log_in.html", form=form, next=after, typed=composing.typed()), _status(form)


def _ask_for_code(user: User, *, remember: bool, after: str) -> ResponseReturnValue:
    """Ask for the second factor. Nobody is logged in before it is given; what was typed travels on."""
    entering.go_half_way(user, remember=remember)
    db.session.commit()
    if composing.typed():
        return _code_page(CodeForm(formdata=None), user, after)
    return redirect(addresses.give_code(back=after), 303)


@bp.route("/login/code", methods=["GET", "POST"], endpoint="give_code")
@open_to_strangers
@limiter.limit(limits.LOG_IN_PER_ADDRESS, methods=["POST"])
@limiter.limit(limits.CODE, methods=["POST"], key_func=limits.half_way_account)
def give_code() -> ResponseReturnValue:
    """Log in with a code of an app, or with a recovery code, after the password."""
    after = own_page(request.values.get("next"), default=url_for("feed.home"))
    if current_user.is_authenticated:
        return composing.go_on(after)
    found = sessions.half_way()
    if found is None:
        flash("That took too long. Enter your password again.")
        return composing.log_in_page() if composing.typed() else redirect(addresses.log_in(back=after), 303)
    form, (user, remember) = CodeForm(), found
    if form.validate_on_submit():
        code = form.code.data or ""
        if accept_code(user.id, code):
            return _let_in(user, remember=remember, after=after)
        if accept_recovery_code(user.id, code):
            left = f"That recovery code is used up now. You have {codes_left(user.id)} left."
            return _let_in(user, remember=remember, after=after, message=left)
        form.code.errors = ["That code doesn’t work. Codes of the app change every half minute, and each works once."]
    return _code_page(form, user, after)


def _code_page(form: CodeForm, user: User, after: str) -> ResponseReturnValue:
    return render_template(
        "accounts/give_code.html", form=form, next=after, typed=composing.typed(), ways=ways_of(user.id)
    ), 422 if form.errors else 200


def _welcome(user: User, *, remember: bool) -> ResponseReturnValue:
    """Log in somebody who has just made their account."""
    ask_to_confirm(user)
    entering.start_session(user, remember=remember)
    db.session.commit()
    return entering.remember_browser(redirect(url_for("feed.home"), 303), user)


def _let_in(user: User, *, remember: bool, after: str, message: str = "") -> ResponseReturnValue:
    """Log in somebody who has shown who they are."""
    entering.log_in(user, remember=remember)
    db.session.commit()
    if message:
        flash(message)
    return entering.remember_browser(composing.go_on(after), user)


@bp.post("/logout", endpoint="log_out")
@suspended_too
@login_required
def log_out() -> ResponseReturnValue:
    sessions.revoke(current_user.session_id, of=current_user)
    db.session.commit()
    entering.end_cookie()
    flash("You’ve logged out.")
    return redirect(url_for("feed.home"), 303)


def _account_in(form: SignUpForm) -> dict[str, str]:
    fields = (form.handle, form.name, form.email, form.password)
    return {field.name: field.data or "" for field in fields}


def _status(form: SignUpForm | LogInForm) -> int:
    return 422 if form.errors or form.is_submitted() else 200
