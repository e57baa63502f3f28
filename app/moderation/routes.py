"""The first page for those who run the site: how it is, and what waits for them."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.core.database import reads_only
from app.feed.admin import lag
from app.feed.admin.charts import Bar, bars
from app.moderation.dashboard import queries
from app.moderation.dashboard.models import SiteDay
from app.moderation.dashboard.work import open_work
from app.web.admin import moderators_too
from config import ROOT

bp = Blueprint("moderation", __name__)

CHARTS = (("posts", "Posts"), ("active", "Active people"), ("joined", "New people"))


@bp.get("/admin")
@moderators_too
@reads_only
def index() -> ResponseReturnValue:
    """Show what waits and how many are here; to admins also how the servers are."""
    days = queries.days()
    newest = next((day for day in reversed(days) if day is not None), None)
    charts = [(words, name, _chart(days, name)) for name, words in CHARTS]
    shown: dict[str, Any] = {"work": open_work(current_user), "newest": newest, "charts": charts}
    if current_user.is_admin:
        shown |= {"jobs": queries.jobs(), "servers": queries.servers(), "lag": lag.stats(past=timedelta(hours=1))}
    return render_template("moderation/index.html", version=_version(), **shown)


def _chart(days: Sequence[SiteDay | None], name: str) -> list[Bar]:
    return bars([getattr(day, name) if day else 0 for day in days])


@cache
def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])
