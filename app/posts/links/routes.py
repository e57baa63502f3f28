"""Link cards: take one away, bring it back, and show its picture."""

from __future__ import annotations

from dataclasses import replace

from flask import Blueprint, Response, flash, request, send_from_directory
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required
from werkzeug.exceptions import NotFound

from app import addresses
from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.extensions import db, limiter
from app.posts.links import operations, pictures
from app.posts.links.queries import is_picture_visible
from app.posts.loaders import load_cards, load_own_post, names_id
from app.web import limits, security
from app.web.htmx import Toast, Undo, flash_undo, respond, wants_fragment

bp = Blueprint("links", __name__)


@bp.post("/posts/<id:post_id>/link/delete")
@login_required
@limiter.limit(limits.RELATION, key_func=limits.account_or_address)
def delete_card(post_id: int) -> ResponseReturnValue:
    return _answer(post_id, is_removed=True)


@bp.post("/posts/<id:post_id>/link")
@login_required
@limiter.limit(limits.RELATION, key_func=limits.account_or_address)
def create_card(post_id: int) -> ResponseReturnValue:
    return _answer(post_id, is_removed=False)


def _answer(post_id: int, *, is_removed: bool) -> ResponseReturnValue:
    """Change the card of one's own post, and show what the post looks like now."""
    post = load_own_post(post_id, by=current_user)
    url = f"{post.author.url}/{post_id}"
    change = operations.remove_card if is_removed else operations.restore_card
    if not change(post_id):
        raise NotFound("This post has no link that could be shown.")
    db.session.commit()
    [card] = load_cards(post_id)
    entry = request.form.get("entry")
    if entry and names_id(entry):
        card = replace(card, entry_id=int(entry))  # at the place of a repost
    sentence = "Link preview removed." if is_removed else "Link preview shown again."
    undo = Undo(
        addresses.link_card(post_id, undo=not is_removed),
        into=f"#text-{card.entry_id}",
        swap="innerHTML",
        fields={"entry": str(card.entry_id)},
    )
    if not wants_fragment():
        flash(sentence)
        flash_undo(undo)
    return respond("posts/_content.html", card=card, toast=Toast(sentence, undo=undo), or_redirect=url)


@bp.get("/media/links/<picture_name>")
@reads_only
def show_picture(picture_name: str) -> Response:
    """Send the picture of a linked page to those who may see a post with it. Browsers ask again each time."""
    if not pictures.is_name(picture_name) or not is_picture_visible(picture_name, viewer=current_viewer()):
        raise NotFound("This image doesn’t exist or isn’t visible to you.")
    response = send_from_directory(pictures.folder(), picture_name, mimetype="image/webp")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Content-Security-Policy"] = security.IMAGE_SECURITY_POLICY
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response
