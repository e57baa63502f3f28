"""Lists of posts: profiles, tags, bookmarks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app.accounts.models import UserCounters
from app.accounts.viewer import current_viewer, viewer_id
from app.core.days import BadDay, read_day
from app.core.text import is_tag, tag_key, to_html
from app.extensions import db
from app.posts import lists
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.tags import operations as tags
from app.social.loaders import load_visible_person
from app.social.policy import can_look_inside
from app.web.htmx import wants_fragment
from app.web.paging import Page, at_day, read_page
from app.web.places import shows

bp = Blueprint("lists", __name__)


@dataclass(frozen=True)
class Tab:
    """One kind of what somebody posted."""

    scope: str
    path: str  # below that of the profile
    title: str
    nothing: str  # said of somebody who has none, after their name
    posts: Callable[..., tuple[Sequence[int], int | None]]


POSTS = Tab("profile", "", "Posts", "hasn’t posted anything yet.", lists.posts_by)
REPLIES = Tab("replies-by", "/replies", "Replies", "hasn’t replied to anyone yet.", lists.replies_by)
PICTURES = Tab("pictures", "/pictures", "Pictures", "hasn’t posted any pictures yet.", lists.pictures_by)
TABS = (POSTS, REPLIES, PICTURES)


@bp.get("/bookmarks")
@shows("You bookmarked it.")
@login_required
def bookmarks() -> ResponseReturnValue:
    page = _post_page("bookmarks", lambda before: lists.bookmarked_by(current_user, before=before), muted_too=True)
    return render_template("posts/_list.html" if wants_fragment() else "posts/bookmarks.html", page=page)


@bp.get("/@<handle:handle>")
@shows("A profile shows all of someone’s posts that you can see.")
def profile(handle: str) -> ResponseReturnValue:
    return _profile(handle, POSTS)


@bp.get("/@<handle:handle>/replies")
@shows("This page shows all of someone’s replies that you can see.")
def replies(handle: str) -> ResponseReturnValue:
    return _profile(handle, REPLIES)


@bp.get("/@<handle:handle>/pictures")
@shows("This page shows all of someone’s posts with pictures that you can see.")
def pictures(handle: str) -> ResponseReturnValue:
    return _profile(handle, PICTURES)


def _profile(handle: str, tab: Tab) -> ResponseReturnValue:
    """Show a person, and one kind of what they posted."""
    person, relation = load_visible_person(handle)
    if person.handle != handle:
        return redirect(person.url + tab.path, 301)
    if relation.blocks:
        return render_template("posts/profile_blocked.html", person=person, relation=relation)
    viewer = current_viewer()
    page = _post_page(
        f"{tab.scope}:{person.id}",
        lambda before: tab.posts(person, viewer=viewer, before=before),
        muted_too=True,
    )
    if wants_fragment():
        return render_template("posts/_list.html", page=page)
    return render_template(
        "posts/profile.html",
        page=page,
        person=person,
        relation=relation,
        counters=db.session.get(UserCounters, person.id),
        bio=to_html(person.bio, frozenset()),
        is_closed=not can_look_inside(viewer, person, relation),
        tabs=TABS,
        tab=tab,
    )


@bp.get("/@<handle:handle>/jump")
def jump(handle: str) -> ResponseReturnValue:
    """Lead to what was newest on a profile on a day."""
    person, _ = load_visible_person(handle)
    try:
        day = read_day(request.args["date"]) if "date" in request.args else None
    except BadDay as error:
        return render_template("posts/jump.html", person=person, error=error), 422
    if day is None:
        return render_template("posts/jump.html", person=person)
    return redirect(at_day(f"profile:{person.id}", day, viewer_id=viewer_id(), path=person.url), 303)


@bp.get("/tags/<tag>")
@shows("A tag’s page shows every post with that tag.")
def tag(tag: str) -> ResponseReturnValue:
    if not is_tag(tag):
        raise NotFound("That can’t be a tag. Tags are made of letters, numbers and _.")
    key, viewer = tag_key(tag), current_viewer()
    page = _post_page(f"tag:{key}", lambda before: lists.posts_tagged(key, viewer=viewer, before=before))
    if wants_fragment():
        return render_template("posts/_list.html", page=page)
    follows = viewer is not None and tags.follows_tag(viewer, key)
    return render_template("posts/tag.html", page=page, tag=tag, follows=follows)


def _post_page(
    scope: str, fetch: Callable[[int | None], tuple[Sequence[int], int | None]], *, muted_too: bool = False
) -> Page[PostCard]:
    page = read_page(scope, fetch, viewer_id=viewer_id())
    return page.map(lambda ids: cards_for(ids, viewer=current_viewer(), muted_too=muted_too))
