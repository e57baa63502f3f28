"""Offer people and tags while the viewer writes."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.accounts.viewer import current_viewer
from app.core.database import reads_only
from app.discovery.completion import queries
from app.extensions import limiter
from app.web import limits

bp = Blueprint("completion", __name__)

SUGGESTED_OF_EACH = 4


@bp.get("/complete")
@login_required
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def complete() -> ResponseReturnValue:
    """Offer people for what starts with @ and tags for what starts with #; nothing for anything else."""
    typed = request.args.get("q", "")
    people = queries.people_starting(typed[1:], viewer=current_user) if typed.startswith("@") else []
    tags = queries.tags_starting(typed[1:], viewer=current_user) if typed.startswith("#") else []
    return render_template("discovery/_completions.html", people=people, tags=tags, most=queries.MAX_COUNTED_POSTS)


@bp.get("/search/suggestions")
@limiter.limit(limits.READ, key_func=limits.account_or_address)
@reads_only
def suggest() -> ResponseReturnValue:
    """Offer people and tags to a viewer who types one word, with or without @ or #, into the search field.

    To strangers, too: whatever the search itself would show them.
    """
    viewer = current_viewer()
    typed = request.args.get("q", "")
    sign, word = typed[:1], typed.lstrip("@#")
    people = queries.people_starting(word, viewer=viewer) if word and sign != "#" else []
    tags = queries.tags_starting(word, viewer=viewer) if word and sign != "@" else []
    few = SUGGESTED_OF_EACH
    return render_template("discovery/_suggestions.html", people=people[:few], tags=tags[:few])
