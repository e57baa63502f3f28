"""The record of what those who run the site did: searched, filtered, exported. No page changes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, Flask, Response, current_app, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app import addresses
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.days import BadDay, read_day
from app.core.spreadsheets import csv_line
from app.core.text import clean_line
from app.extensions import limiter
from app.moderation.log import queries
from app.moderation.log.actions import WORDS
from app.moderation.log.models import LogEntry
from app.moderation.log.queries import Wanted
from app.web import limits
from app.web.admin import admin_page, moderators_too
from app.web.htmx import wants_fragment
from app.web.paging import Page, read_page_at

bp = Blueprint("log", __name__, url_prefix="/admin")

MAX_TYPED = 200
FIELDS = ("words", "who", "action", "since", "until")
COLUMNS = ("when", "who", "action", "whom", "reason", "before", "after")


@bp.get("/log")
@admin_page("Log", "What admins and moderators did", place=8)
@moderators_too
@reads_only
def log() -> ResponseReturnValue:
    """Show what was done, the newest first."""
    asked = _asked()
    try:
        wanted = _read(asked)
    except BadDay as error:
        nothing: Page[LogEntry] = Page([], None, is_first=True)
        return _show("moderation/log.html", nothing, asked, error=error), 422
    page = read_page_at(
        f"log:{sorted(asked.items())}",
        lambda at: queries.page_of_log(wanted, at=at),
        viewer_id=current_user.id,
        keeping={name: value for name, value in asked.items() if value},
    )
    template = "moderation/_entries.html" if wants_fragment() else "moderation/log.html"
    return _show(template, page, asked)


@bp.get("/log.csv")
@moderators_too
@limiter.limit(limits.LOG_EXPORT, key_func=limits.account_or_address)
@reads_only
def export() -> ResponseReturnValue:
    """Send the same as a file for spreadsheets, all of it."""
    asked = _asked()
    try:
        wanted = _read(asked)
    except BadDay:
        return redirect(addresses.admin_log(**asked), 303)  # which says what is wrong
    headers = {"Content-Disposition": 'attachment; filename="freshet-log.csv"'}
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return Response(_lines(wanted, app), mimetype="text/csv", headers=headers)


def _show(template: str, page: Page[LogEntry], asked: dict[str, str], *, error: BadDay | None = None) -> str:
    return render_template(template, page=page, asked=asked, actions=WORDS, error=error)


def _asked() -> dict[str, str]:
    """Return what the page was asked for, as it was typed."""
    return {name: clean_line(request.args.get(name, ""))[:MAX_TYPED] for name in FIELDS}


def _read(asked: dict[str, str]) -> Wanted:
    return Wanted(
        words=asked["words"],
        action=asked["action"],
        actor=asked["who"].removeprefix("@"),
        since=read_day(asked["since"]) if asked["since"] else None,
        until=read_day(asked["until"]) if asked["until"] else None,
        zone=zone_of(current_viewer()),
    )


def _lines(wanted: Wanted, app: Flask) -> Iterator[str]:
    yield csv_line(COLUMNS)
    for entry in queries.all_of_log(wanted, app=app):
        yield csv_line(
            (
                entry.at.isoformat(timespec="seconds"),
                entry.actor,
                WORDS.get(entry.action, entry.action),
                entry.target,
                entry.reason,
                _in_words(entry.before),
                _in_words(entry.after),
            )
        )


def _in_words(values: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in values.items())
