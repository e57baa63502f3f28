"""Look around: everybody's posts, and everybody."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.accounts.viewer import current_viewer, viewer_id
from app.core.htmx import wants_fragment
from app.core.paging import read_page
from app.discovery import queries
from app.posts.cards import cards_for
from app.posts.queries import latest_posts

bp = Blueprint("discovery", __name__)


@bp.get("/explore")
def explore() -> ResponseReturnValue:
    viewer = current_viewer()
    page = read_page("latest", lambda before: latest_posts(viewer=viewer, before=before), viewer_id=viewer_id())
    cards = page.map(lambda ids: cards_for(ids, viewer=viewer))
    return render_template("posts/_list.html" if wants_fragment() else "discovery/explore.html", page=cards)


@bp.get("/explore/people")
def people() -> ResponseReturnValue:
    viewer = current_viewer()
    page = read_page("people", lambda before: queries.everybody(viewer=viewer, before=before), viewer_id=viewer_id())
    template = "social/_people.html" if wants_fragment() else "discovery/people.html"
    return render_template(template, page=page)
