"""Mute conversations, and the list of those that the viewer mutes."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.accounts.viewer import viewer_id
from app.core.database import reads_only
from app.extensions import db, limiter
from app.posts.cards.reading import cards_for
from app.posts.loaders import load_visible_post
from app.posts.threads import muting
from app.web import limits
from app.web.htmx import Toast, Undo, flash_undo, own_page, respond, wants_fragment
from app.web.paging import read_page
from app.web.settings import WHAT_YOU_SEE, settings_page

bp = Blueprint("threads", __name__)

often = limiter.shared_limit(limits.RELATION, scope="threads", key_func=limits.account_or_address)


@bp.post("/posts/<id:post_id>/mute")
@login_required
@often
def mute_conversation(post_id: int) -> ResponseReturnValue:
    if was := request.form.get("was"):
        muting.restore_mute(post_id, was, by=current_user)
        return _answer("Conversation muted again.")
    post = load_visible_post(post_id)
    muting.mute_conversation(post, by=current_user)
    gone = {"conversation": post.conversation_id, "but_of": current_user.id}
    undo = Undo(addresses.mute_conversation(post_id, undo=True))
    return _answer("Conversation muted. Manage mutes in Settings.", gone, undo)


@bp.post("/posts/<id:post_id>/mute/delete")
@login_required
@often
def unmute_conversation(post_id: int) -> ResponseReturnValue:
    post = load_visible_post(post_id)
    muting.unmute_conversation(post, by=current_user)
    return _answer("Conversation unmuted.", undo=Undo(addresses.mute_conversation(post_id)))


def _answer(sentence: str, gone: dict[str, int] | None = None, undo: Undo | None = None) -> ResponseReturnValue:
    db.session.commit()
    if not wants_fragment():
        flash(sentence)
    events = {"conversation-hidden": gone} if gone else None
    came_from = own_page(request.form.get("next"), default=url_for("feed.home"))
    return respond("", toast=Toast(sentence, undo=undo), events=events, or_redirect=came_from)


@bp.get("/settings/conversations")
@settings_page(WHAT_YOU_SEE, "Conversations", "Conversations you’ve muted", place=5)
@login_required
@reads_only
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
    was, here = muting.unmute_thread(thread_id, by=current_user), url_for("threads.conversations")
    db.session.commit()
    flash("Conversation unmuted.")
    if was:
        flash_undo(Undo(addresses.mute_conversation(thread_id), fields={"was": was, "next": here}))
    return redirect(here, 303)
