"""Word filters with their test box, and muted conversations."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app.accounts.viewer import viewer_id
from app.core.errors import Refused
from app.extensions import db, limiter
from app.feed.home.page import home_page
from app.posts.cards.cards import cards_for
from app.posts.filters import operations as hiding
from app.posts.filters import preview as trying
from app.posts.filters.forms import KEEP, PART, WORD, FilterForm
from app.posts.loaders import load_visible_post, names_id
from app.posts.models import WordFilter
from app.posts.threads import muting
from app.web import limits
from app.web.forms import show_refusal
from app.web.htmx import own_page, respond, wants_fragment
from app.web.paging import read_page
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("hiding", __name__)

often = limiter.shared_limit(limits.RELATION, scope="hiding", key_func=limits.account_or_address)
TRIED = 100


@bp.get("/settings/filters")
@settings_page(WHAT_YOU_SEE, "Word filters", "Words you don’t want to see", place=3)
@login_required
def filters() -> ResponseReturnValue:
    return _page(FilterForm(formdata=None))


@bp.post("/settings/filters")
@login_required
@often
def create_filter() -> ResponseReturnValue:
    form = FilterForm()
    if form.validate():
        try:
            hiding.add_filter(
                form.phrase.data or "",
                by=current_user,
                action=form.action.data or "",
                is_whole_word=form.is_whole_word,
                until=None if form.lasts.data == KEEP else hiding.until_from_now(form.lasts.data or ""),
            )
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            return _saved("Filter added. It covers old posts too.")
    return _page(form), 422


@bp.get("/settings/filters/<id:filter_id>")
@login_required
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
    found, form = _load_own_filter(filter_id), FilterForm()
    if form.validate():
        try:
            hiding.change_filter(
                filter_id,
                form.phrase.data or "",
                by=current_user,
                action=form.action.data or "",
                is_whole_word=form.is_whole_word,
                until=found.until if form.lasts.data == KEEP else hiding.until_from_now(form.lasts.data or ""),
            )
        except Refused as refusal:
            show_refusal(form, refusal)
        else:
            return _saved("Filter updated.")
    return _page(form, found), 422


@bp.post("/settings/filters/<id:filter_id>/delete")
@login_required
@often
def delete_filter(filter_id: int) -> ResponseReturnValue:
    _load_own_filter(filter_id)
    hiding.remove_filter(filter_id, by=current_user)
    return _saved("Filter removed. The posts it hid are back.")


@bp.post("/settings/filters/test")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
def try_filter() -> ResponseReturnValue:
    """Show what a filter would have caught in the newest posts of one's home, without storing anything."""
    form = FilterForm()
    named = request.form.get("filter", "")
    found = _load_own_filter(int(named)) if names_id(named) else None
    if not form.validate():
        return _tried(form, found)
    try:
        phrase = hiding.checked_phrase(form.phrase.data or "")
    except Refused as refusal:
        show_refusal(form, refusal)
        return _tried(form, found)
    with trying.set_aside(found):  # what it hides already is caught, too
        cards, _ = home_page(viewer=current_user, before=None, size=TRIED)
    pattern = hiding.pattern_of(phrase, is_whole_word=form.is_whole_word)
    others = [card for card in cards if card.author.id != current_user.id]  # one's own posts are never filtered
    return _tried(form, found, tried=len(cards), caught=trying.caught(others, pattern))


def _tried(form: FilterForm, found: WordFilter | None, **outcome: object) -> ResponseReturnValue:
    if wants_fragment():  # while somebody types, nothing is wrong yet
        return render_template("settings/_caught.html", **outcome)
    return _page(form, found, **outcome), 422 if form.errors else 200


def _page(form: FilterForm, found: WordFilter | None = None, **outcome: object) -> str:
    """Show the form and, unless it is about one filter, the list."""
    filters = [] if found else hiding.filters_of(current_user)
    return render_template("settings/filters.html", form=form, found=found, filters=filters, **outcome)


def _saved(sentence: str) -> ResponseReturnValue:
    db.session.commit()
    flash(sentence)
    return redirect(url_for("hiding.filters"), 303)


def _load_own_filter(filter_id: int) -> WordFilter:
    found = db.session.get(WordFilter, filter_id)
    if found is None or found.user_id != current_user.id:
        raise NotFound("This filter doesn’t exist. It may have been removed.")
    return found


# ---- Conversations


@bp.post("/posts/<id:post_id>/mute")
@login_required
@often
def mute_conversation(post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    muting.mute_conversation(post, by=current_user)
    gone = {"conversation": post.conversation_id, "but_of": current_user.id}
    return _answer("Conversation muted. Manage mutes in Settings.", gone)


@bp.post("/posts/<id:post_id>/mute/delete")
@login_required
@often
def unmute_conversation(post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    muting.unmute_conversation(post, by=current_user)
    return _answer("Conversation unmuted.")


def _answer(sentence: str, gone: dict[str, int] | None = None) -> ResponseReturnValue:
    db.session.commit()
    if not wants_fragment():
        flash(sentence)
    events = {"conversation-hidden": gone} if gone else None
    came_from = own_page(request.form.get("next"), default=url_for("feed.home"))
    return respond("", toast=sentence, events=events, or_redirect=came_from)


@bp.get("/settings/conversations")
@settings_page(WHAT_YOU_SEE, "Conversations", "Conversations you’ve muted", place=5)
@login_required
def conversations() -> ResponseReturnValue:
    page = read_page(
        "conversations",
        lambda before: muting.muted_conversations(current_user, before=before),
        viewer_id=viewer_id(),
    )
    cards = {
        card.id: card
        for card in cards_for([each.thread_id for each in page.items], viewer=current_user, muted_too=True)
    }
    template = "settings/_conversations.html" if wants_fragment() else "settings/conversations.html"
    return render_template(template, page=page, cards=cards)


@bp.post("/settings/conversations/<id:thread_id>/delete")
@login_required
@often
def delete_conversation(thread_id: int) -> ResponseReturnValue:
    muting.unmute_thread(thread_id, by=current_user)
    db.session.commit()
    flash("Conversation unmuted.")
    return redirect(url_for("hiding.conversations"), 303)
