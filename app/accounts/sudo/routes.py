"""Ask again before something dangerous is done, and go on with what was sent: nothing that was typed is lost."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user
from werkzeug.exceptions import Forbidden

from app.accounts.factors.queries import ways_of
from app.accounts.models import User
from app.accounts.passkeys.challenges import PROOF, take_challenge
from app.accounts.sudo.operations import is_proven, prove, prove_by_passkey
from app.extensions import db, limiter
from app.web import limits
from app.web.csrf import FIELD as TOKEN
from app.web.htmx import wants_fragment
from app.web.sudo import is_dangerous

bp = Blueprint("sudo", __name__)
ANSWER, PASSKEY = "proof", "proof_passkey"


@bp.before_app_request
def ask_again() -> ResponseReturnValue | None:
    """Let a form go to a dangerous view only from a session that has lately shown whose it is."""
    if request.method != "POST" or request.endpoint is None:
        return None
    if not is_dangerous(current_app.view_functions[request.endpoint]) or not current_user.is_authenticated:
        return None
    if request.form.get(PASSKEY):
        return None if _is_right(passkey=request.form[PASSKEY]) else (_page(wrong="passkey"), 422)
    if ANSWER in request.form:
        return None if _is_right(request.form[ANSWER]) else (_page(wrong="answer"), 422)
    if is_proven(current_user.session_id):
        return None
    if wants_fragment():
        raise Forbidden("Log in again in another tab to do this; what you typed is still here.")
    return _page(), 403


@limiter.shared_limit(limits.PASSWORD_CHECK, scope="sudo", key_func=limits.account_or_address)
def _is_right(answer: str = "", *, passkey: str = "") -> bool:
    user = db.session.get_one(User, current_user.id)
    if passkey:
        is_right = prove_by_passkey(user, current_user.session_id, passkey, challenge=take_challenge(PROOF))
    else:
        is_right = prove(user, current_user.session_id, answer)
    db.session.commit()
    return is_right


def _page(*, wrong: str = "") -> str:
    """Return the page that asks, with everything that was sent."""
    typed = [(name, value) for name, value in request.form.items(multi=True) if name not in {TOKEN, ANSWER, PASSKEY}]
    ways = ways_of(current_user.id)
    path = request.full_path.rstrip("?")
    return render_template("accounts/sudo.html", path=path, typed=typed, ways=ways, is_wrong=wrong)
