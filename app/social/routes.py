"""Follow, mute, block and undo; lists of people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import Blueprint, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.accounts.models import User, UserCounters
from app.accounts.viewer import current_viewer, viewer_id
from app.activity.jobs import run_now
from app.core import limits
from app.core.htmx import own_page, respond, wants_fragment
from app.core.paging import Page, read_page
from app.extensions import db, limiter
from app.feed.queries import BACKFILL
from app.social import operations, queries
from app.social.loaders import load_visible_person
from app.social.queries import Person

bp = Blueprint("social", __name__)

often = limiter.shared_limit(limits.RELATION, scope="relations", key_func=limits.account_or_address)


@bp.post("/@<handle:handle>/follow")
@login_required
@often
def create_follow(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.follow(person, by=current_user)
    db.session.commit()
    run_now(BACKFILL, actor_id=current_user.id)  # what they wrote is there when the next page is read
    return _answer(person, toast=f"You follow @{person.handle} now.")


@bp.post("/@<handle:handle>/follow/delete")
@login_required
@often
def delete_follow(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.unfollow(person, by=current_user)
    return _answer(person, toast=f"You no longer follow @{person.handle}.")


@bp.post("/@<handle:handle>/mute")
@login_required
@often
def create_mute(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.mute(person, by=current_user)
    return _answer(person, toast=f"@{person.handle} is muted. Settings lists whom you mute.", hide=True)


@bp.post("/@<handle:handle>/mute/delete")
@login_required
@often
def delete_mute(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.unmute(person, by=current_user)
    return _answer(person, toast=f"@{person.handle} is no longer muted.")


@bp.post("/@<handle:handle>/block")
@login_required
@often
def create_block(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.block(person, by=current_user)
    return _answer(person, toast=f"@{person.handle} is blocked. Settings lists whom you block.", hide=True)


@bp.post("/@<handle:handle>/block/delete")
@login_required
@often
def delete_block(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.unblock(person, by=current_user)
    return _answer(person, toast=f"@{person.handle} is no longer blocked.")


def _answer(person: User, *, toast: str, hide: bool = False) -> ResponseReturnValue:
    """Commit and show the relation as it is now; pages drop what must not be seen any more."""
    db.session.commit()
    shows_relation = request.headers.get("HX-Target") == f"relation-{person.id}"  # a post's menu shows nothing of it
    return respond(
        "social/relation.swap.html" if shows_relation else "",
        person=person,
        relation=queries.relation_to(person, viewer=current_user),
        counters=db.session.get(UserCounters, person.id),
        toast=toast,
        events={"author-hidden": person.id} if hide else None,
        or_redirect=own_page(request.form.get("next"), default=person.url),
    )


@bp.get("/@<handle:handle>/followers")
def followers(handle: str) -> ResponseReturnValue:
    person, relation = load_visible_person(handle)
    if relation.blocks:  # the profile says so, and offers to undo it
        return redirect(person.url, 303)
    viewer = current_viewer()
    page = _people(f"followers:{person.id}", lambda before: queries.followers_of(person, viewer=viewer, before=before))
    return _list(page, "social/followers.html", person=person)


@bp.get("/@<handle:handle>/following")
def following(handle: str) -> ResponseReturnValue:
    person, relation = load_visible_person(handle)
    if relation.blocks:  # the profile says so, and offers to undo it
        return redirect(person.url, 303)
    viewer = current_viewer()
    page = _people(
        f"following:{person.id}", lambda before: queries.followed_by_person(person, viewer=viewer, before=before)
    )
    return _list(page, "social/following.html", person=person)


@bp.get("/settings/mutes")
@login_required
def mutes() -> ResponseReturnValue:
    page = _people("mutes", lambda before: queries.muted_people(current_user, before=before))
    return _list(page, "settings/mutes.html")


@bp.get("/settings/blocks")
@login_required
def blocks() -> ResponseReturnValue:
    page = _people("blocks", lambda before: queries.blocked_people(current_user, before=before))
    return _list(page, "settings/blocks.html")


def _people(scope: str, fetch: Callable[[int | None], tuple[Sequence[Person], int | None]]) -> Page[Person]:
    return read_page(scope, fetch, viewer_id=viewer_id())


def _list(page: Page[Person], template: str, *, person: User | None = None) -> ResponseReturnValue:
    template = "social/_people.html" if wants_fragment() else template
    return render_template(template, page=page, person=person)
