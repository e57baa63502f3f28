"""What surrounds every page: hooks around requests, what templates know, avatars, health."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from flask import Flask, Response, g, request, send_from_directory, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError
from jinja2 import Environment
from markupsafe import Markup
from sqlalchemy import text
from werkzeug.exceptions import Unauthorized
from werkzeug.routing import BaseConverter

from app import addresses
from app.accounts import avatars
from app.accounts.agents import browser_name
from app.accounts.models import User
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer
from app.core import times
from app.core.numbers import compact
from app.core.redis import RedisAway
from app.core.text import HANDLE, initials, with_links
from app.extensions import csrf, db, login_manager, redis
from app.posts.cards.rendering import render_card, render_cards
from app.posts.streams.rendering import render_stream
from app.posts.writing import composing, resending
from app.site.settings import the_site
from app.social.queries import number_waiting_for
from app.web import admin, assets, htmx, kept, members, security, settings, standing, uploads
from app.web.appearance import current_appearance
from app.web.csrf import current_token
from app.web.frame import Frame, frame_for


class HandleConverter(BaseConverter):
    regex = HANDLE


class IdConverter(BaseConverter):
    """An id of ours: digits, and no more than the database holds."""

    regex = r"[1-9][0-9]{0,15}"

    def to_python(self, value: str) -> int:
        return int(value)


def register(app: Flask) -> None:
    """Bind hooks, converters, template helpers and the few addresses that belong to no package."""
    app.url_map.converters.update(handle=HandleConverter, id=IdConverter)
    app.before_request(_check_input)
    app.before_request(standing.guard)
    app.before_request(admin.guard)
    app.before_request(members.guard)
    app.context_processor(_template_names)
    assets.register(app)
    _teach_templates(app)
    app.add_url_rule("/healthz", view_func=members.open_to_strangers(healthz))
    app.add_url_rule("/readyz", view_func=members.open_to_strangers(readyz))
    app.add_url_rule("/media/avatars/<path:file>", endpoint="avatar", view_func=send_avatar)
    login_manager.unauthorized_handler(_ask_to_log_in)


def _check_input() -> ResponseReturnValue | None:
    """Refuse what cannot be read, or comes from a foreign page, before a view sees it."""
    security.refuse_unreadable_query()
    if request.method == "GET" and not request.environ.get("CONTENT_TYPE"):
        return None  # it has no body
    # In this order: the check of the token reads the whole body, and what it has read cannot be limited or checked.
    uploads.make_room()
    security.refuse_unreadable_body()
    uploads.refuse_misplaced_files()
    return _check_token()


def _check_token() -> ResponseReturnValue | None:
    """Refuse a form whose token is not this session's; what was written in it comes back, to be sent again."""
    try:
        csrf.protect(apply_exemptions=True)
    except CSRFError:
        page = composing.once_more()
        if page is None:
            raise
        return page, 400
    return None


def _teach_templates(app: Flask) -> None:
    """Give both environments their names: the one of a request, and the one of what is kept for several readers."""
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(
        csrf_token=current_token,
        new_once=resending.new_once,  # of each form: kept HTML has a slot for it
        render_card=render_card,
        render_cards=render_cards,
        render_stream=render_stream,
        settings_menu=settings.menu,
        admin_menu=admin.menu,
    )
    kept_env = app.extensions["freshet.kept_templates"] = kept.make_environment(app.create_global_jinja_loader())
    kept_env.trim_blocks = kept_env.lstrip_blocks = True
    for jinja in (kept_env, app.jinja_env):
        _furnish(jinja)


def _furnish(jinja: Environment) -> None:
    """Give an environment what depends on nobody, and the macros of `components/macros.html` as `ui`."""
    jinja.filters.update(
        in_full=times.in_full,
        short_day=times.short_day,
        day=times.day,
        month_and_year=times.month_and_year,
        initials=initials,
        compact=compact,
        browser=browser_name,
        with_links=with_links,
    )
    # Before the macros, which keep the globals that they find.
    jinja.globals.update(to=addresses, fixed=kept.fixed, **assets.NAMES)
    ui: Any = jinja.get_template("components/macros.html").module
    for macro in ("audience", "face", "icon", "logo", "tab"):  # often used, and the same for the same arguments
        setattr(ui, macro, lru_cache(maxsize=1000)(getattr(ui, macro)))
    ui.avatar = partial(_avatar, ui)
    jinja.globals["ui"] = ui


def _avatar(ui: Any, person: Any, size: str = "m") -> Markup:
    """Return the face of a person; one that stands for any reader has a place for it."""
    face: Markup = (
        person.face(size) if hasattr(person, "face") else ui.face(person.id, person.name, person.avatar, size)
    )
    return face


def _template_names() -> dict[str, Any]:
    viewer = _viewer()
    return {
        "viewer": viewer,
        "zone": zone_of(viewer),  # for days and times
        "requests_waiting": requests_waiting,
        "page_frame": page_frame,
        "site": the_site(),
        "appearance": current_appearance(),
        "at": request.path,
        "csrf_token": current_token,  # not Flask-WTF's own, which signs one for each page
    }


def _viewer() -> User | None:
    return None if g.get("database_away") else current_viewer()


def page_frame() -> Frame:
    """Return what is around the page that is being rendered."""
    viewer = _viewer()
    waiting = requests_waiting() if viewer else 0
    return frame_for(viewer, appearance=current_appearance(), path=request.path, waiting=waiting, token=current_token())


def requests_waiting() -> int:
    """Return how many ask to follow the viewer; a page that says so in two places asks once."""
    viewer = current_viewer()
    if "requests_waiting" not in g:
        g.requests_waiting = number_waiting_for(viewer) if viewer else 0
    waiting: int = g.requests_waiting
    return waiting


@standing.checks_standing
def healthz() -> ResponseReturnValue:
    """Say that the process is up; asks nobody else."""
    return {"status": "ok"}


@standing.checks_standing
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
    response = send_from_directory(avatars.folder(), file, mimetype="image/webp", max_age=assets.A_YEAR)
    who = "private" if the_site().is_for_members else "public"
    response.headers["Cache-Control"] = f"{who}, max-age={assets.A_YEAR}, immutable"
    response.headers["Content-Security-Policy"] = security.IMAGE_SECURITY_POLICY
    return response


def _ask_to_log_in() -> ResponseReturnValue:
    """Send a reader to the log-in page and back; never throw away what was being sent."""
    if htmx.wants_fragment():
        raise Unauthorized("You’ve been logged out. Log in again in another tab; what you typed is still here.")
    if request.endpoint == "posts.create_post" and composing.typed():
        return composing.log_in_page(), 401
    if request.method not in {"GET", "HEAD"}:
        raise Unauthorized("You’re not logged in. Log in, then go back and send this again.")
    return htmx.go_to(url_for("accounts.log_in", next=request.full_path.rstrip("?")))
