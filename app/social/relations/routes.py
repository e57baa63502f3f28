"""Follow, mute, block and undo; lists of people."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from flask import Blueprint, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import BadRequest

from app import addresses
from app.accounts.models import User, UserCounters
from app.accounts.viewer import current_viewer, viewer_id
from app.core.database import reads_only
from app.core.errors import NotAllowed
from app.extensions import db, limiter
from app.outbox import names
from app.outbox.running import run_now
from app.social import operations, queries
from app.social.durations import DURATIONS, FOR_EVER, end_of
from app.social.loaders import (
    load_followed_person,
    load_follower,
    load_hidden_person,
    load_person_to_hide,
    load_visible_person,
)
from app.social.models import ALL, EVERYTHING, REPOSTS, SCOPES, VOLUMES
from app.social.policy import can_look_inside
from app.social.queries import Person
from app.social.relations.words import DURATION_WORDS, VOLUME_WORDS
from app.web import limits
from app.web.htmx import Toast, Undo, go_to, own_page, respond, wants_fragment
from app.web.paging import Page, read_page

bp = Blueprint("social", __name__)

often = limiter.shared_limit(limits.RELATION, scope="relations", key_func=limits.account_or_address)


@bp.post("/@<handle:handle>/follow")
@login_required
@often
def create_follow(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.follow(person, by=current_user)
    if "volume" in request.form:  # an undo: as it was before
        operations.set_volume(person, _choice("volume", VOLUMES), by=current_user)
    db.session.commit()
    run_now(names.BACKFILL_FOLLOW, actor_id=current_user.id)  # what they wrote is there when the next page is read
    name = f"@{person.handle}"
    has_asked = queries.relation_to(person, viewer=current_user).requested
    return _answer(person, toast=f"You’ve asked to follow {name}." if has_asked else f"You’re now following {name}.")


@bp.post("/@<handle:handle>/follow/delete")
@login_required
@often
def delete_follow(handle: str) -> ResponseReturnValue:
    person, before = load_visible_person(handle)
    operations.unfollow(person, by=current_user)
    if before.requested:
        return _answer(person, toast=f"Request to follow @{person.handle} cancelled.")
    sentence = f"You’ve unfollowed @{person.handle}."
    if person.is_private and request.form.get("next") == person.url:  # all of the page may change
        db.session.commit()
        flash(sentence)
        return go_to(person.url)
    if person.is_private or not before.follows:  # who was let in would have to ask again
        return _answer(person, toast=sentence, hide=person.is_private)
    undo = Undo(addresses.follow(person.handle), fields={"volume": before.volume or ALL})
    return _answer(person, toast=sentence, undo=undo)


@bp.get("/@<handle:handle>/follower/delete")
@login_required
@reads_only
def confirm_delete_follower(handle: str) -> ResponseReturnValue:
    person = load_follower(handle)
    back = own_page(request.args.get("next"), default=person.url)
    return render_template("social/confirm_delete_follower.html", person=person, back=back)


@bp.post("/@<handle:handle>/follower/delete")
@login_required
@often
def delete_follower(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.remove_follower(person, by=current_user)
    db.session.commit()
    flash(f"@{person.handle} no longer follows you.")
    return go_to(own_page(request.values.get("next"), default=person.url))


@bp.get("/@<handle:handle>/volume")
@login_required
@reads_only
def volume(handle: str) -> ResponseReturnValue:
    person, relation = load_followed_person(handle)
    return _form("volume", person, chosen=relation.volume)


@bp.post("/@<handle:handle>/volume")
@login_required
@often
def set_volume(handle: str) -> ResponseReturnValue:
    chosen = _choice("volume", VOLUMES)
    person, _ = load_followed_person(handle)
    operations.set_volume(person, chosen, by=current_user)
    return _answer(person, toast=VOLUME_WORDS[chosen].format(f"@{person.handle}"), flash_too=True)


@bp.get("/@<handle:handle>/mute")
@login_required
@reads_only
def mute(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    if person.id == current_user.id:
        raise NotAllowed("You can’t mute yourself.")
    return _form("mute", person)


@bp.post("/@<handle:handle>/mute")
@login_required
@often
def create_mute(handle: str) -> ResponseReturnValue:
    """Mute a person: for ever and everything, unless the form says otherwise."""
    person, _ = load_person_to_hide(handle)
    duration = _choice("duration", DURATIONS, default=FOR_EVER)
    scope = _choice("scope", SCOPES, default=EVERYTHING)
    operations.mute(person, by=current_user, scope=scope, until=end_of(duration))
    what = f"You’ve muted @{person.handle}" if scope == EVERYTHING else f"You won’t see reposts by @{person.handle}"
    toast = f"{what}{DURATION_WORDS[duration]}. Manage mutes in Settings."
    undo = Undo(addresses.mute(person.handle, undo=True))
    if scope == REPOSTS:
        return _answer(person, toast=toast, undo=undo, events={"reposts-hidden": person.handle}, flash_too=True)
    return _answer(person, toast=toast, undo=undo, hide=True, flash_too="duration" in request.form)


@bp.post("/@<handle:handle>/mute/delete")
@login_required
@often
def delete_mute(handle: str) -> ResponseReturnValue:
    person, before = load_hidden_person(handle)
    operations.unmute(person, by=current_user)
    name = f"@{person.handle}"
    toast = f"You’ll see reposts by {name} again." if before.mutes_reposts else f"You’ve unmuted {name}."
    return _answer(person, toast=toast)


@bp.post("/@<handle:handle>/block")
@login_required
@often
def create_block(handle: str) -> ResponseReturnValue:
    person, _ = load_person_to_hide(handle)
    operations.block(person, by=current_user)
    return _answer(person, toast=f"You’ve blocked @{person.handle}. Manage blocks in Settings.", hide=True)


@bp.post("/@<handle:handle>/block/delete")
@login_required
@often
def delete_block(handle: str) -> ResponseReturnValue:
    person, _ = load_hidden_person(handle)
    operations.unblock(person, by=current_user)
    return _answer(person, toast=f"You’ve unblocked @{person.handle}.", undo=Undo(addresses.block(person.handle)))


def _choice(field: str, choices: Collection[str], *, default: str = "") -> str:
    """Return what was chosen in a form, if it is one of the choices."""
    chosen = request.form.get(field, default)
    if chosen not in choices:
        raise BadRequest("Choose one of the options on the page.")
    return chosen


def _form(name: str, person: User, **context: object) -> ResponseReturnValue:
    """Show a form about a person: on a page of its own, or in the dialog that htmx puts it into."""
    return render_template(
        f"social/_{name}.html" if wants_fragment() else f"social/{name}.html",
        person=person,
        back=own_page(request.args.get("next"), default=person.url),
        shows_relation="relation" in request.args,
        **context,
    )


def _answer(
    person: User,
    *,
    toast: str,
    undo: Undo | None = None,
    hide: bool = False,
    events: dict[str, object] | None = None,
    flash_too: bool = False,
) -> ResponseReturnValue:
    """Commit and show the relation, where its page shows it; pages drop what must not be seen any more."""
    db.session.commit()
    relation = queries.relation_to(person, viewer=current_user)
    is_there = relation.blocks or not relation.blocked_by  # if not, no page of theirs is, and nothing of them is told
    shows_relation = is_there and "relation" in request.form
    if (flash_too or not is_there) and not wants_fragment():
        flash(toast)
    return respond(
        "social/relation.swap.html" if shows_relation else "",
        person=person,
        relation=relation,
        counters=db.session.get(UserCounters, person.id),
        toast=Toast(toast, undo=_undo_into(person, undo) if undo and shows_relation else undo),
        events={"author-hidden": person.id} if hide else events,
        or_redirect=own_page(request.form.get("next"), default=person.url) if is_there else addresses.settings("mutes"),
    )


def _undo_into(person: User, undo: Undo) -> Undo:
    """Let an undo show its answer in the place of the relation to a person."""
    shown = {name: request.form[name] for name in ("relation", "next") if name in request.form}
    return replace(undo, into=f"#relation-{person.id}", fields={**shown, **undo.fields})


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
