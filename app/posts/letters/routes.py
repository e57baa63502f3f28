"""Posts that are only for people they mention, by accounts that one of these does not follow."""

from __future__ import annotations

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue
from flask_login import current_user, login_required

from app.core.database import reads_only
from app.posts import lists
from app.posts.loaders import load_list
from app.posts.streams.rendering import in_context
from app.web.htmx import wants_fragment
from app.web.places import shows

bp = Blueprint("letters", __name__)


@bp.get("/requests/posts")
@shows("It’s for you, by someone you don’t follow.")
@login_required
@reads_only
def posts_for_you() -> ResponseReturnValue:
    page = in_context(load_list("letters", lists.letters_to(current_user)), viewer=current_user)
    return render_template("posts/_list.html" if wants_fragment() else "posts/letters.html", page=page)
