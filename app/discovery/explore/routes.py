"""Look around: the latest posts, and all people."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.discovery.explore import queries
from app.posts.lists import latest_posts
from app.posts.loaders import load_list
from app.web.htmx import wants_fragment
from app.web.paging import read_page
from app.web.places import shows

bp = Blueprint("explore", __name__)


@bp.get("/explore")
@shows("Explore shows everyone’s posts that you can see.")
@reads_only
def posts() -> ResponseReturnValue:
    page = load_list("latest", latest_posts())
    return render_template("posts/_list.html" if wants_fragment() else "discovery/explore.html", page=page)


@bp.get("/explore/people")
@reads_only
def people() -> ResponseReturnValue:
    viewer = current_viewer()
    page = read_page("people", lambda before: queries.everybody(viewer=viewer, before=before), viewer_id=viewer_id())
    template = "social/_people.html" if wants_fragment() else "discovery/people.html"
    return render_template(template, page=page)
