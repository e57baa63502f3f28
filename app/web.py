"""What surrounds every page: hooks around requests, what templates know, static files, health."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, request, send_from_directory, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from sqlalchemy import text
from werkzeug.exceptions import Unauthorized
from werkzeug.routing import BaseConverter, ValidationError

from app.accounts import avatars
from app.accounts.agents import browser_name
from app.core import htmx, security, times
from app.core.ids import MAX_ID
from app.core.numbers import compact
from app.core.redis import RedisAway
from app.core.text import HANDLE, initials
from app.extensions import db, login_manager, redis

A_YEAR = 365 * 24 * 60 * 60
THEMES = ("auto", "light", "dark")


class HandleConverter(BaseConverter):
    regex = HANDLE


class IdConverter(BaseConverter):
    """An id of ours: digits, and no more than the database holds."""

    regex = r"[1-9]\d{0,15}"

    def to_python(self, value: str) -> int:
        if int(value) > MAX_ID:
            raise ValidationError
        return int(value)


def register(app: Flask) -> None:
    """Bind hooks, converters, template helpers and the few addresses that belong to no package."""
    app.url_map.converters.update(handle=HandleConverter, id=IdConverter)
    app.before_request(security.refuse_unreadable_input)
    app.after_request(security.add_security_headers)
    app.after_request(htmx.vary_on_htmx)
    app.context_processor(_template_names)
    _teach_templates(app)
    app.add_url_rule("/healthz", view_func=healthz)
    app.add_url_rule("/readyz", view_func=readyz)
    app.add_url_rule("/media/avatars/<path:file>", endpoint="avatar", view_func=send_avatar)
    app.add_url_rule("/favicon.ico", endpoint="favicon", view_func=lambda: current_app.send_static_file("img/icon.svg"))
    login_manager.unauthorized_handler(_ask_to_log_in)


def _teach_templates(app: Flask) -> None:
    """Give templates their filters, and the macros of `components/macros.html` as `ui`, without an import in each."""
    jinja = app.jinja_env
    jinja.trim_blocks = jinja.lstrip_blocks = True
    jinja.filters.update(
        ago=times.ago,
        in_full=times.in_full,
        month_and_year=times.month_and_year,
        initials=initials,
        compact=compact,
        browser=browser_name,
    )
    jinja.globals.update(asset=asset, ui=jinja.get_template("components/macros.html").module)


def _template_names() -> dict[str, Any]:
    theme = request.cookies.get("theme")
    return {
        "viewer": current_user if current_user.is_authenticated else None,
        "site_name": current_app.config["SITE_NAME"],
        "theme": theme if theme in THEMES else "auto",
    }


def asset(path: str) -> str:
    """Return the address of a static file with its version, so that browsers may keep it for ever."""
    return _versioned(current_app.static_folder or "", path)


@cache
def _versioned(folder: str, path: str) -> str:
    version = hashlib.sha256((Path(folder) / path).read_bytes()).hexdigest()[:10]
    return url_for("static", filename=path, v=version)


def healthz() -> ResponseReturnValue:
    """Say that the process is up; asks nobody else."""
    return {"status": "ok"}


def readyz() -> ResponseReturnValue:
    """Say whether pages can be served: Postgres must answer, Redis need not."""
    db.session.execute(text("SELECT 1"))
    try:
        with redis.client() as client:
            client.ping()
        return {"status": "ok", "redis": "ok"}
    except RedisAway:
        return {"status": "ok", "redis": "away"}


def send_avatar(file: str) -> Response:
    """Send an avatar. Its name is never used twice, so it may be kept for ever."""
    response = send_from_directory(avatars.folder(), file, mimetype="image/webp", max_age=A_YEAR)
    response.headers["Cache-Control"] = f"public, max-age={A_YEAR}, immutable"
    response.headers["Content-Security-Policy"] = "default-src 'none'"
    return response


def _ask_to_log_in() -> ResponseReturnValue:
    """Send a reader to the log-in page and back; never throw away what somebody was sending."""
    if htmx.wants_fragment():
        raise Unauthorized("You are no longer logged in. Log in again in another tab; what you typed is still here.")
    if request.method != "GET":
        raise Unauthorized("You are not logged in. Log in, then go back to send this again.")
    return htmx.go_to(url_for("accounts.log_in", next=request.full_path.rstrip("?")))
