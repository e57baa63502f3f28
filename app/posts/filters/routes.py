"""Word filters, with a preview of what one would catch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app import addresses
from app.core.database import reads_only
from app.core.errors import Refused
from app.extensions import db, limiter
from app.feed.home.page import home_page
from app.posts.filters import operations, preview
from app.posts.filters.forms import KEEP, PART, WORD, FilterForm
from app.posts.loaders import names_id
from app.posts.models import WordFilter
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import Undo, flash_undo, wants_fragment
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("filters", __name__)

often = limiter.shared_limit(limits.RELATION, scope="filters", key_func=limits.account_or_address)
PREVIEWED = 100


@bp.get("/settings/filters")
@settings_page(WHAT_YOU_SEE, "Word filters", "Words you don’t want to see", place=3)
@login_required
@reads_only
def filters() -> ResponseReturnValue:
    return _page(FilterForm(formdata=None))


@bp.post("/settings/filters")
@login_required
@often
def create_filter() -> ResponseReturnValue:
    form = FilterForm()
    if was := request.form.get("was"):  # of an undo
        form.end = operations.end_in(was, by=current_user)
        return _store(operations.add_filter, form, "The filter is back.")
    return _store(operations.add_filter, form, "Filter added. It covers old posts too.")


@bp.get("/settings/filters/<id:filter_id>")
@login_required
@reads_only
def edit_filter(filter_id: int) -> ResponseReturnValue:
    found = _load_own_filter(filter_id)
    form = FilterForm(
        formdata=None,
        phrase=found.phrase,
        match=WORD if found.is_whole_word else PART,
        action=found.action,
        lasts="week" if found.is_over else KEEP,
    )
    return _page(form, found)


@bp.post("/settings/filters/<id:filter_id>")
@login_required
@often
def change_filter(filter_id: int) -> ResponseReturnValue:
    found = _load_own_filter(filter_id)
    return _store(partial(operations.change_filter, filter_id), FilterForm(), "Filter updated.", found)


def _store(
    operation: Callable[..., object], form: FilterForm, sentence: str, found: WordFilter | None = None
) -> ResponseReturnValue:
    """Store what a form says, or show the form again with what is wrong."""
    if form.validate():
        try:
            operation(
                form.phrase.data or "",
                by=current_user,
                action=form.action.data,
                is_whole_word=form.is_whole_word,
                until=form.until_of(found),
            )
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            return _saved(sentence)
    return _page(form, found), 422


@bp.post("/settings/filters/<id:filter_id>/delete")
@login_required
@often
def delete_filter(filter_id: int) -> ResponseReturnValue:
    found = _load_own_filter(filter_id)
    fields = {"phrase": found.phrase, "match": WORD if found.is_whole_word else PART, "action": found.action}
    fields |= {"lasts": KEEP, "was": operations.end_as_token(found, by=current_user)}
    operations.remove_filter(filter_id, by=current_user)
    flash_undo(Undo(addresses.settings("filters"), fields=fields))
    return _saved("Filter removed. The posts it hid are back.")


@bp.post("/settings/filters/test")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
def preview_filter() -> ResponseReturnValue:
    """Show what a filter would have caught in the newest posts of the viewer's home, without storing anything."""
    form = FilterForm()
    named = request.form.get("filter", "")
    found = _load_own_filter(int(named)) if names_id(named) else None
    if not form.validate():
        return _previewed(form, found)
    phrase = operations.checked_phrase(form.phrase.data or "")
    # What it hides already is caught, too.
    cards, _ = home_page(viewer=current_user, before=None, size=PREVIEWED, without_filter=found.id if found else 0)
    pattern = operations.pattern_of(phrase, is_whole_word=form.is_whole_word)
    others = [card for card in cards if card.author.id != current_user.id]  # a filter never catches its owner's posts
    return _previewed(form, found, tried=len(cards), caught=preview.caught(others, pattern))


def _previewed(form: FilterForm, found: WordFilter | None, **outcome: object) -> ResponseReturnValue:
    if wants_fragment():  # while the viewer types, nothing is wrong yet
        return render_template("settings/_caught.html", **outcome)
    return _page(form, found, **outcome), 422 if form.errors else 200


def _page(form: FilterForm, found: WordFilter | None = None, **outcome: object) -> str:
    """Show the form and, unless it is about one filter, the list."""
    filters = [] if found else operations.filters_of(current_user)
    return render_template("settings/filters.html", form=form, found=found, filters=filters, **outcome)


def _saved(sentence: str) -> ResponseReturnValue:
    db.session.commit()
    flash(sentence)
    return redirect(url_for("filters.filters"), 303)


def _load_own_filter(filter_id: int) -> WordFilter:
    found = db.session.get(WordFilter, filter_id)
    if found is None or found.user_id != current_user.id:
        raise NotFound("This filter doesn’t exist. It may have been removed.")
    return found
