"""Requests to follow a private account: list, accept, decline."""

from __future__ import annotations

from flask import Blueprint, flash, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.accounts.models import User, UserCounters
from app.core.database import reads_only
from app.extensions import db, limiter
from app.outbox import names
from app.outbox.running import run_now
from app.social import operations, queries
from app.social.loaders import load_visible_person
from app.social.queries import Person
from app.web import limits
from app.web.htmx import own_page, respond, wants_fragment
from app.web.paging import read_page

bp = Blueprint("requests", __name__)

often = limiter.shared_limit(limits.RELATION, scope="relations", key_func=limits.account_or_address)


@bp.get("/requests")
@login_required
@reads_only
def waiting() -> ResponseReturnValue:
    viewer: User = current_user
    page = read_page("requests", lambda before: queries.waiting_for(viewer, before=before), viewer_id=viewer.id)
    return render_template("social/_requests.html" if wants_fragment() else "social/requests.html", page=page)


@bp.post("/@<handle:handle>/request/accept")
@login_required
@often
def accept(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.accept_request(person, by=current_user)
    db.session.commit()
    run_now(names.BACKFILL_FOLLOW, actor_id=person.id)  # what the viewer wrote is there when they read their next page
    relation = queries.relation_to(person, viewer=current_user)
    if not relation.followed_by:
        return _answer(person, f"@{person.handle} cancelled their request.")
    counters = db.session.get_one(UserCounters, person.id)
    entry = Person(user=person, relation=relation, is_viewer=False, followers=counters.followers, place=0)
    return _answer(person, f"@{person.handle} now follows you.", entry=entry)


@bp.post("/@<handle:handle>/request/decline")
@login_required
@often
def decline(handle: str) -> ResponseReturnValue:
    person, _ = load_visible_person(handle)
    operations.decline_request(person, by=current_user)
    db.session.commit()
    return _answer(person, f"Request declined. @{person.handle} won’t be told.")


def _answer(person: User, sentence: str, *, entry: Person | None = None) -> ResponseReturnValue:
    """Show what became of a request in its place: the person who follows now, or nothing."""
    if not wants_fragment():
        flash(sentence)
    back = own_page(request.form.get("next"), default="/requests")
    return respond("social/request.swap.html", entry=entry, toast=sentence, or_redirect=back)
