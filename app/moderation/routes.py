"""The first page for those who run the site."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.core.database import reads_only
from app.web.admin import moderators_too

bp = Blueprint("moderation", __name__)


@bp.get("/admin")
@moderators_too
@reads_only
def index() -> ResponseReturnValue:
    return render_template("moderation/index.html")
