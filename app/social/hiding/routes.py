"""The people that one mutes and blocks: the lists, and adding to them by a handle.

By a handle, because somebody who blocks the viewer has no page with a button.
"""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.models import User
from app.accounts.queries import person_by_handle
from app.core.database import reads_only
from app.extensions import db, limiter
from app.social import operations, queries
from app.social.hiding.forms import PersonForm
from app.web import limits
from app.web.htmx import wants_fragment
from app.web.paging import read_page
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("hiding", __name__)

often = limiter.shared_limit(limits.RELATION, scope="relations", key_func=limits.account_or_address)


@bp.get("/settings/mutes")
@settings_page(WHAT_YOU_SEE, "Muted", "People you’ve muted", place=4)
@login_required
@reads_only
def mutes() -> ResponseReturnValue:
    return _mutes(PersonForm())


@bp.post("/settings/mutes")
@login_required
@often
def create_mute() -> ResponseReturnValue:
    form = PersonForm()
    person = _person_in(form)
    if person is None:
        return _mutes(form), 422
    operations.mute(person, by=current_user)
    db.session.commit()
    flash(f"You’ve muted @{person.handle}.")
    return redirect(addresses.settings("mutes"), 303)


@bp.get("/settings/blocks")
@settings_page(WHAT_YOU_SEE, "Blocked", "People you’ve blocked", place=6)
@login_required
@reads_only
def blocks() -> ResponseReturnValue:
    return _blocks(PersonForm())


@bp.post("/settings/blocks")
@login_required
@often
def create_block() -> ResponseReturnValue:
    form = PersonForm()
    person = _person_in(form)
    if person is None:
        return _blocks(form), 422
    operations.block(person, by=current_user)
    db.session.commit()
    flash(f"You’ve blocked @{person.handle}.")
    return redirect(addresses.settings("blocks"), 303)


def _person_in(form: PersonForm) -> User | None:
    """Return the person that a form names, whether or not the viewer may see them; None if it says what is wrong."""
    if not form.validate_on_submit():
        return None
    person = person_by_handle(form.handle.data or "")
    if person is not None and person.id != current_user.id:
        return person
    form.handle.errors = ["That’s you." if person else "There’s nobody here by that handle."]
    return None


def _mutes(form: PersonForm) -> str:
    viewer = current_user
    page = read_page("mutes", lambda before: queries.muted_people(viewer, before=before), viewer_id=viewer.id)
    return render_template("social/_people.html" if wants_fragment() else "settings/mutes.html", page=page, form=form)


def _blocks(form: PersonForm) -> str:
    viewer = current_user
    page = read_page("blocks", lambda before: queries.blocked_people(viewer, before=before), viewer_id=viewer.id)
    return render_template("social/_people.html" if wants_fragment() else "settings/blocks.html", page=page, form=form)
