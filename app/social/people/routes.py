"""Lists of people: who follows whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, redirect, render_template
from flask.typing import ResponseReturnValue

from app.accounts.models import User
from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.social import queries
from app.social.loaders import load_visible_person
from app.social.policy import can_look_inside
from app.social.queries import Person
from app.web.htmx import wants_fragment
from app.web.paging import Page, read_page

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


def _people(scope: str, fetch: Callable[[int | None], tuple[Sequence[Person], int | None]]) -> Page[Person]:
    return read_page(scope, fetch, viewer_id=viewer_id())


def _list(page: Page[Person], template: str, *, person: User) -> ResponseReturnValue:
    template = "social/_people.html" if wants_fragment() else template
    return render_template(template, page=page, person=person)
