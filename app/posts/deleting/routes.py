"""Delete posts, and bring them back."""

from __future__ import annotations

from flask import Blueprint, flash, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import Gone

from app import addresses
from app.core.database import reads_only
from app.extensions import db, limiter
from app.posts.deleting import operations
from app.posts.loaders import load_cards, load_own_post
from app.web import limits
from app.web.htmx import Toast, Undo, current_page, flash_undo, own_page, respond, wants_fragment

bp = Blueprint("deleting", __name__)

TOO_LATE = "It’s too late to bring this post back."

often = limiter.shared_limit(limits.RELATION, scope="deleting", key_func=limits.account_or_address)


@bp.get("/posts/<id:post_id>/delete")
@login_required
@reads_only
def confirm_delete(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    [card] = load_cards(post.id)
    return render_template("posts/confirm_delete.html", card=card)


@bp.post("/posts/<id:post_id>/delete")
@login_required
@often
def delete_post(post_id: int) -> ResponseReturnValue:
    post = load_own_post(post_id, by=current_user)
    url, undo = addresses.post(post.author.handle, post_id), Undo(addresses.restore(post_id))
    operations.delete_post(post, by=current_user)
    db.session.commit()
    if not wants_fragment() or current_page() == url:  # another page says so
        flash("Post deleted.")
        flash_undo(undo)
    return respond(
        "",
        toast=Toast("Post deleted.", undo=undo),
        events={"post-deleted": post_id},
        or_redirect=own_page(request.form.get("next"), default=url_for("feed.home")),
    )


@bp.post("/posts/<id:post_id>/restore")
@login_required
@often
def restore_post(post_id: int) -> ResponseReturnValue:
    """Bring a post back; one that is there already stays as it is."""
    operations.restore_post(post_id, by=current_user)
    db.session.commit()
    try:
        post = load_own_post(post_id, by=current_user)
    except Gone as error:
        raise Gone(TOO_LATE) from error
    return respond("", toast="Post restored.", or_redirect=addresses.post(post.author.handle, post_id))
