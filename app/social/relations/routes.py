"""Follow, mute, block, and undo it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import BadRequest

from app import addresses
from app.accounts.models import User, UserCounters
from app.core.database import reads_only
from app.core.errors import NotAllowed
from app.extensions import db, limiter
from app.outbox import names
from app.outbox.running import run_now
from app.social import operations, queries, restoring
from app.social.durations import DURATIONS, FOR_EVER, end_of
from app.social.loaders import (
    load_followed_person,
    load_follower,
    load_hidden_person,
    load_person_to_hide,
    load_visible_person,
)
from app.social.models import ALL, EVERYTHING, REPOSTS, SCOPES, VOLUMES
from app.social.relations.words import AS_BEFORE, DURATION_WORDS, VOLUME_WORDS
from app.web import limits
from app.web.htmx import Toast, Undo, current_page, flash_undo, go_to, own_page, respond, wants_fragment

bp = Blueprint("social", __name__)

often = limiter.shared_limit(limits.RELATION, scope="relations", key_func=limits.account_or_address)


@bp.post("/@<handle:handle>/follow")
@login_required
@often
def create_follow(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    if was := request.form.get("was"):
        restoring.restore_follow(person, was, by=current_user)
    else:
        operations.follow(person, by=current_user)
    db.session.commit()
    run_now(names.BACKFILL_FOLLOW, actor_id=current_user.id)  # what they wrote is there when the next page is read
    name = f"@{person.handle}"
    has_asked = queries.relation_to(person, viewer=current_user).requested
    sentence = f"You’ve asked to follow {name}." if has_asked else f"You’re now following {name}."
    if was and person.is_private and wants_fragment() and current_page() == person.url:  # it opens again
        flash(sentence)
        return go_to(person.url)
    return _answer(person, toast=sentence)


@bp.post("/@<handle:handle>/follow/delete")
@login_required
@often
def delete_follow(handle: str) -> ResponseReturnValue:
    person, before = load_visible_person(handle)
    was = restoring.end_follow(person, by=current_user)
    if not was:
        again = Undo(addresses.follow(person.handle)) if before.requested else None
        what = f"Request to follow @{person.handle} cancelled." if again else f"You’ve unfollowed @{person.handle}."
        return _answer(person, toast=what, undo=again)
    sentence, undo = f"You’ve unfollowed @{person.handle}.", Undo(addresses.follow(person.handle), fields={"was": was})
    if person.is_private and request.form.get("next") == person.url:  # all of the page may change
        db.session.commit()
        flash(sentence)
        flash_undo(undo)
        return go_to(person.url)
    return _answer(person, toast=sentence, undo=undo, events=_hidden(person) if person.is_private else None)


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
    person, before = load_followed_person(handle)
    operations.set_volume(person, chosen, by=current_user)
    undo = Undo(addresses.volume(person.handle), fields={"volume": before.volume or ALL})
    toast = VOLUME_WORDS[chosen].format(f"@{person.handle}")
    return _answer(person, toast=toast, undo=undo if before.volume != chosen else None, flash_too=True)


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
    """Mute a person: for ever and everything, unless the form says otherwise, or as it was before."""
    person, _ = load_person_to_hide(handle)
    if was := request.form.get("was"):
        is_reposts = restoring.restore_mute(person, was, by=current_user)
        sentence = AS_BEFORE[is_reposts].format(f"@{person.handle}")
        return _answer(person, toast=sentence, events=None if is_reposts else _hidden(person, closes=False))
    duration = _choice("duration", DURATIONS, default=FOR_EVER)
    scope = _choice("scope", SCOPES, default=EVERYTHING)
    before = restoring.mute_of(person, by=current_user)
    operations.mute(person, by=current_user, scope=scope, until=end_of(duration))
    what = f"You’ve muted @{person.handle}" if scope == EVERYTHING else f"You won’t see reposts by @{person.handle}"
    toast = f"{what}{DURATION_WORDS[duration]}. Manage mutes in Settings."
    undo = _again(person, before) if before else Undo(addresses.mute(person.handle, undo=True))
    if scope == REPOSTS:
        return _answer(person, toast=toast, undo=undo, events={"reposts-hidden": person.handle}, flash_too=True)
    has_a_page = "duration" in request.form
    return _answer(person, toast=toast, undo=undo, events=_hidden(person, closes=False), flash_too=has_a_page)


def _again(person: User, was: str) -> Undo:
    """Return how to mute a person as it was before."""
    return Undo(addresses.mute(person.handle), fields={"was": was})


@bp.post("/@<handle:handle>/mute/delete")
@login_required
@often
def delete_mute(handle: str) -> ResponseReturnValue:
    person, before = load_hidden_person(handle)
    was = restoring.mute_of(person, by=current_user)
    operations.unmute(person, by=current_user)
    name = f"@{person.handle}"
    toast = f"You’ll see reposts by {name} again." if before.mutes_reposts else f"You’ve unmuted {name}."
    return _answer(person, toast=toast, undo=_again(person, was) if was else None)


@bp.post("/@<handle:handle>/block")
@login_required
@often
def create_block(handle: str) -> ResponseReturnValue:
    person, _ = load_person_to_hide(handle)
    operations.block(person, by=current_user)
    return _answer(person, toast=f"You’ve blocked @{person.handle}. Manage blocks in Settings.", events=_hidden(person))


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
    events: dict[str, object] | None = None,
    flash_too: bool = False,
) -> ResponseReturnValue:
    """Commit and show the relation, where its page shows it; pages drop what must not be seen any more."""
    db.session.commit()
    relation = queries.relation_to(person, viewer=current_user)
    is_there = relation.blocks or not relation.blocked_by  # if not, no page of theirs is, and nothing of them is told
    if (flash_too or not is_there) and not wants_fragment():
        flash(toast)
    return respond(
        "social/relation.swap.html" if is_there and "relation" in request.form else "",
        person=person,
        relation=relation,
        counters=db.session.get(UserCounters, person.id),
        toast=Toast(toast, undo=_shown(undo, person)),
        events=events,
        or_redirect=_back_to(person) if is_there else addresses.settings("mutes"),
    )


def _hidden(person: User, *, closes: bool = True) -> dict[str, object]:
    """Return what pages drop a person's posts at; `closes` says that their own page will not show them either."""
    return {"author-hidden": {"author": person.id, "closes": closes}}


def _back_to(person: User) -> str:
    return own_page(request.form.get("next"), default=person.url)


def _shown(undo: Undo | None, person: User) -> Undo | None:
    """Let an undo show how the viewer stands to a person where its page does: that may be the next one."""
    shown = {"relation": "shown", "next": _back_to(person)}
    return replace(undo, into=f"#relation-{person.id}", shown=shown) if undo else None
