"""Everybody with an account, for those who run the site. The page of one person is another."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.accounts.models import ROLES
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.days import BadDay, read_day
from app.core.text import clean_line
from app.moderation.members import queries
from app.moderation.members.queries import NEWEST, SORTS, STATES, Row, Wanted
from app.web.admin import admin_page, moderators_too
from app.web.htmx import wants_fragment
from app.web.paging import Page, read_page_at

bp = Blueprint("members", __name__, url_prefix="/admin")

MAX_TYPED = 100
FIELDS = ("words", "role", "state", "since", "until", "sort")
SORT_WORDS = {"newest": "Newest first", "oldest": "Oldest first"}


@bp.get("/people")
@admin_page("People", "Everybody with an account", place=0)
@moderators_too
@reads_only
def people() -> ResponseReturnValue:
    """Show who has an account, the newest first unless asked otherwise."""
    asked = {name: clean_line(request.args.get(name, ""))[:MAX_TYPED] for name in FIELDS}
    shown = {"asked": asked, "roles": ROLES, "states": STATES, "sorts": SORT_WORDS}
    try:
        wanted = _read(asked)
    except BadDay as error:
        nothing: Page[Row] = Page([], None, is_first=True)
        return render_template("moderation/people.html", page=nothing, error=error, **shown), 422
    page = read_page_at(
        f"admin-people:{sorted(asked.items())}",
        lambda at: queries.page_of_people(wanted, at=at),
        viewer_id=current_user.id,
        keeping={name: value for name, value in asked.items() if value},
    )
    template = "moderation/_people.html" if wants_fragment() else "moderation/people.html"
    return render_template(template, page=page, **shown)


def _read(asked: dict[str, str]) -> Wanted:
    """Read what was asked for; of a choice that is none the first is taken."""
    return Wanted(
        words=asked["words"],
        role=asked["role"] if asked["role"] in ROLES else "",
        state=asked["state"] if asked["state"] in STATES else "",
        since=read_day(asked["since"]) if asked["since"] else None,
        until=read_day(asked["until"]) if asked["until"] else None,
        sort=asked["sort"] if asked["sort"] in SORTS else NEWEST,
        zone=zone_of(current_viewer()),
        by_email=current_user.is_admin,
    )
