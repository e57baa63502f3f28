"""Lists of people: who follows whom, and whom the viewer mutes and blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.accounts.models import User
from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.social import queries
from app.social.loaders import load_visible_person
from app.social.policy import can_look_inside
from app.social.queries import Person
from app.web.htmx import wants_fragment
from app.web.paging import Page, read_page
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("people", __name__)


@bp.get("/@<handle:handle>/followers")
@reads_only
def followers(handle: str) -> ResponseReturnValue:
    person, relation = load_visible_person(handle)
    viewer = current_viewer()
    if relation.blocks or not can_look_inside(viewer, person, relation):  # the profile says so, and what to do about it
        return redirect(person.url, 303)
    page = _people(f"followers:{person.id}", lambda before: queries.followers_of(person, viewer=viewer, before=before))
    return _list(page, "social/followers.html", person=person)


@bp.get("/@<handle:handle>/following")
@reads_only
def following(handle: str) -> ResponseReturnValue:
    person, relation = load_visible_person(handle)
    viewer = current_viewer()
    if relation.blocks or not can_look_inside(viewer, person, relation):  # the profile says so, and what to do about it
        return redirect(person.url, 303)
    page = _people(
        f"following:{person.id}", lambda before: queries.followed_by_person(person, viewer=viewer, before=before)
    )
    return _list(page, "social/following.html", person=person)


@bp.get("/settings/mutes")
@settings_page(WHAT_YOU_SEE, "Muted", "People you’ve muted", place=4)
@login_required
@reads_only
def mutes() -> ResponseReturnValue:
    page = _people("mutes", lambda before: queries.muted_people(current_user, before=before))
    return _list(page, "settings/mutes.html")


@bp.get("/settings/blocks")
@settings_page(WHAT_YOU_SEE, "Blocked", "People you’ve blocked", place=6)
@login_required
@reads_only
def blocks() -> ResponseReturnValue:
    page = _people("blocks", lambda before: queries.blocked_people(current_user, before=before))
    return _list(page, "settings/blocks.html")


def _people(scope: str, fetch: Callable[[int | None], tuple[Sequence[Person], int | None]]) -> Page[Person]:
    return read_page(scope, fetch, viewer_id=viewer_id())


def _list(page: Page[Person], template: str, *, person: User | None = None) -> ResponseReturnValue:
    template = "social/_people.html" if wants_fragment() else template
    return render_template(template, page=page, person=person)
