"""Cards as HTML, kept: a card looks the same to everybody, and a popular post is shown thousands of times."""

from __future__ import annotations

from functools import lru_cache

from flask import current_app
from markupsafe import Markup

from app.core.times import ago
from app.posts.cards import PostCard


def render_card(card: PostCard, *, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    return _rendered(card, ago(card.created_at), has_menu, line)


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, has_menu: bool, line: str) -> Markup:
    template = current_app.jinja_env.get_template("posts/_card.html")
    return Markup(template.render(card=card, when=when, has_menu=has_menu, line=line))  # noqa: S704
