"""Why am I seeing this?"""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app import addresses
from app.core.database import reads_only
from app.extensions import limiter
from app.feed.explain.why import answer
from app.posts.loaders import load_cards, load_visible_entry
from app.web import limits
from app.web.htmx import own_page, wants_fragment
from app.web.places import place_of

bp = Blueprint("feed_explain", __name__)


@bp.get("/posts/<id:post_id>/why")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def why(post_id: int) -> ResponseReturnValue:
    """Say why an entry is on the page (`?at=`) on which the viewer met it."""
    load_visible_entry(post_id)
    at = own_page(request.args.get("at"), default=addresses.home())
    [card] = load_cards(post_id)
    said = answer(current_user, card, place=place_of(at))
    return render_template("feed/_why.html" if wants_fragment() else "feed/why.html", answer=said, at=at)
