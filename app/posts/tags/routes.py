"""Posts under a tag; follow tags into the home feed, and the list of those that the viewer follows."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, flash, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.core.text import is_tag, tag_key
from app.extensions import db, limiter
from app.posts import lists
from app.posts.loaders import load_list
from app.posts.streams.rendering import in_context
from app.posts.tags import operations as tags
from app.web import limits
from app.web.htmx import Toast, Undo, own_page, respond, wants_fragment
from app.web.places import shows
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("tags", __name__)

often = limiter.shared_limit(limits.RELATION, scope="tags", key_func=limits.account_or_address)


@bp.get("/tags/<tag>")
@shows("A tag’s page shows every post with that tag that you can see.")
@reads_only
def show(tag: str) -> ResponseReturnValue:
    key, viewer = _key(tag), current_viewer()
    page = in_context(load_list(f"tag:{key}", lists.posts_tagged(key)), viewer=viewer)
    if wants_fragment():
        return render_template("posts/_list.html", page=page)
    follows = viewer is not None and tags.follows_tag(viewer, key)
    return render_template("posts/tag.html", page=page, tag=tag, follows=follows)


def _key(tag: str) -> str:
    """Return the one spelling of a tag; 404 for what cannot be one."""
    if not is_tag(tag):
        raise NotFound("That can’t be a tag. Tags are made of letters, numbers and _.")
    return tag_key(tag)


@bp.post("/tags/<tag>/follow")
@login_required
@often
def create_follow(tag: str) -> ResponseReturnValue:
    return _act(tags.follow_tag, tag, follows=True)


@bp.post("/tags/<tag>/follow/delete")
@login_required
@often
def delete_follow(tag: str) -> ResponseReturnValue:
    return _act(tags.unfollow_tag, tag, follows=False)


def _act(operation: Callable[..., None], tag: str, *, follows: bool) -> ResponseReturnValue:
    operation(_key(tag), by=current_user)
    db.session.commit()
    sentence = f"Posts tagged #{tag} will now appear in your home feed." if follows else f"You’ve unfollowed #{tag}."
    if not wants_fragment():
        flash(sentence)
    here = own_page(request.form.get("next"), default=url_for("tags.show", tag=tag))
    undo = Undo(addresses.follow_tag(tag, undo=follows), f'.tag-follow[data-tag="{tag}"]', {"next": here})
    said = Toast(sentence, undo=undo)
    return respond("posts/_tag_follow.html", tag=tag, follows=follows, here=here, toast=said, or_redirect=here)


@bp.get("/settings/tags")
@settings_page(WHAT_YOU_SEE, "Tags", "Tags you follow in your home feed", place=2)
@login_required
@reads_only
def followed() -> ResponseReturnValue:
    return render_template("settings/tags.html", tags=tags.followed_by(current_user))
