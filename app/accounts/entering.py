"""Begin a session, whichever way somebody has shown who they are: a password, a code, a passkey, a provider."""

from __future__ import annotations

from flask import Response, g, make_response, request, session
from flask.typing import ResponseReturnValue
from flask_login import login_user, logout_user

from app.accounts import browsers, sessions
from app.accounts.agents import browser_name
from app.accounts.email.operations import notify
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.core import clock, times


def log_in(user: User, *, remember: bool) -> None:
    """Log in a person who has shown who they are; tell them by e-mail if their browser is a new one."""
    if browsers.mark_of(user.id) not in _people_before():
        at = times.in_full(clock.now(), zone_of(user))
        agent = browser_name(request.user_agent.string)
        notify(user, "new_log_in", browser=agent, address=request.remote_addr or "", at=at)
    start_session(user, remember=remember)


def start_session(user: User, *, remember: bool) -> None:
    """Log in under a fresh session: whatever the cookie held before is worth nothing now."""
    end_cookie()
    sessions.start(user, remember=remember, agent=request.user_agent.string, address=request.remote_addr or "")
    session.permanent = remember
    login_user(user)


def go_half_way(user: User, *, remember: bool) -> None:
    """Note that a person still has to give their second factor. Nobody is logged in before that."""
    end_cookie()
    sessions.go_half_way(user, remember=remember)


def end_cookie() -> None:
    """Forget whatever the cookie holds."""
    logout_user()
    session.clear()
    g.pop("csrf_token", None)  # Flask-WTF keeps it for the request: forms in this very answer belong to the new session


def remember_browser(answer: ResponseReturnValue, user: User) -> Response:
    """Let an answer note in the browser that a person has used it."""
    response = make_response(answer)
    cookie = browsers.cookie_with(user.id, _people_before())
    response.set_cookie(
        browsers.COOKIE,
        cookie,
        max_age=browsers.REMEMBERED,
        samesite="Lax",
        httponly=True,
        secure=request.is_secure,
        path="/login",
    )
    return response


def _people_before() -> list[str]:
    return browsers.people_in(request.cookies.get(browsers.COOKIE))
