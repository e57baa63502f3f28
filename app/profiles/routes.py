"""Profiles: a person, and what they posted, by kind and from a date on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue

from app.accounts.models import User
from app.accounts.queries import counters_of
from app.accounts.reader import zone_of
from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.core.days import BadDay, read_day
from app.core.text import to_html
from app.posts import lists
from app.posts.cards.cards import PostCard
from app.posts.loaders import load_list
from app.posts.streams.rendering import in_context
from app.profiles.queries import pace_of, tags_most_used_by
from app.social.loaders import load_visible_person
from app.social.policy import can_look_inside
from app.web.htmx import wants_fragment
from app.web.paging import Page, at_day, zone_for_day
from app.web.places import shows

bp = Blueprint("profiles", __name__)


@dataclass(frozen=True)
class Tab:
    """One kind of posts of a person."""

    scope: str
    path: str  # below that of the profile
    title: str
    nothing: str  # said of a person who has none, after their name
    posts: Callable[[User], lists.Listing]


POSTS = Tab("profile", "", "Posts", "hasn’t posted anything that you can see yet.", lists.posts_by)
REPLIES = Tab("replies-by", "/replies", "Replies", "hasn’t written any replies that you can see yet.", lists.replies_by)
PICTURES = Tab("pictures", "/pictures", "Pictures", "hasn’t posted pictures that you can see yet.", lists.pictures_by)
TABS = (POSTS, REPLIES, PICTURES)


@bp.get("/@<handle:handle>")
@shows("A profile shows all of someone’s posts that you can see.")
@reads_only
def profile(handle: str) -> ResponseReturnValue:
    return _profile(handle, POSTS)


@bp.get("/@<handle:handle>/replies")
@shows("This page shows all of someone’s replies that you can see.")
@reads_only
def replies(handle: str) -> ResponseReturnValue:
    return _profile(handle, REPLIES)


@bp.get("/@<handle:handle>/pictures")
@shows("This page shows all of someone’s posts with pictures that you can see.")
@reads_only
def pictures(handle: str) -> ResponseReturnValue:
    return _profile(handle, PICTURES)


def _profile(handle: str, tab: Tab) -> ResponseReturnValue:
    """Show a person, and one kind of their posts."""
    person, relation = load_visible_person(handle)
    if person.handle != handle:
        return redirect(person.url + tab.path, 301)
    if relation.blocks:
        return render_template("profiles/blocked.html", person=person, relation=relation)
    page = _load_page(person, tab)
    if wants_fragment():
        return render_template("posts/_list.html", page=page)
    viewer, counters = current_viewer(), counters_of(person)
    is_closed = not can_look_inside(viewer, person, relation)
    return render_template(
        "profiles/profile.html",
        page=page,
        person=person,
        relation=relation,
        counters=counters,
        bio=to_html(person.bio, frozenset()),
        is_closed=is_closed,
        pace=pace_of(counters.posts, since=person.created_at),
        tags=[] if is_closed else tags_most_used_by(person, viewer=viewer),
        tabs=TABS,
        tab=tab,
    )


def _load_page(person: User, tab: Tab) -> Page[PostCard]:
    page = load_list(f"{tab.scope}:{person.id}", tab.posts(person))
    return in_context(page, viewer=current_viewer()) if tab is REPLIES else page


@bp.get("/@<handle:handle>/jump")
@reads_only
def jump(handle: str) -> ResponseReturnValue:
    """Lead to what was newest on a profile on a day."""
    person, _ = load_visible_person(handle)
    try:
        day = read_day(request.args["date"]) if "date" in request.args else None
    except BadDay as error:
        return render_template("profiles/jump.html", person=person, error=error), 422
    if day is None:
        return render_template("profiles/jump.html", person=person)
    zone = zone_for_day(zone_of(current_viewer()))
    return redirect(at_day(f"profile:{person.id}", day, zone=zone, viewer_id=viewer_id(), path=person.url), 303)
