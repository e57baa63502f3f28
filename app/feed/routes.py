"""The home feed."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.accounts.models import User
from app.accounts.viewer import current_viewer
from app.core import limits
from app.core.htmx import wants_fragment
from app.core.paging import Page, read_page
from app.discovery.queries import people_to_follow
from app.extensions import limiter
from app.feed import queries
from app.posts.cards import PostCard, cards_for
from app.posts.forms import PostForm
from app.posts.queries import latest_posts

bp = Blueprint("feed", __name__)


@bp.get("/")
def home() -> ResponseReturnValue:
    viewer = current_viewer()
    if viewer is None:
        ids, _ = latest_posts(viewer=None, before=None)
        return render_template("feed/welcome.html", cards=cards_for(ids[:5], viewer=None))
    return _home_page(viewer)


@bp.get("/feed")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
def feed() -> ResponseReturnValue:
    """Show a page of the feed: a fragment for infinite scroll, a whole page for the plain link underneath."""
    if wants_fragment():
        return render_template("posts/_list.html", page=_read(current_user))
    return _home_page(current_user)


def _home_page(viewer: User) -> ResponseReturnValue:
    page = _read(viewer)
    is_empty = page.is_first and not page.items and page.next_url is None
    return render_template(
        "feed/home.html",
        form=PostForm(formdata=None),
        page=page,
        suggestions=people_to_follow(viewer) if is_empty else [],
        follows_anyone=is_empty and queries.follows_anyone(viewer),
    )


def _read(viewer: User) -> Page[PostCard]:
    page = read_page(
        "home",
        lambda before: queries.home_page(viewer=viewer, before=before),
        viewer_id=viewer.id,
        path=url_for("feed.feed"),
    )
    return page.map(lambda ids: cards_for(ids, viewer=viewer))
