"""Cards as HTML, kept: a card looks the same to everybody, and a popular post is shown thousands of times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from flask import current_app
from markupsafe import Markup

from app.core.times import ago
from app.posts.cards import PostCard


def render_card(card: PostCard, *, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    return _rendered(card, ago(card.created_at), has_menu, line)


def render_cards(cards: Sequence[PostCard], *, has_menu: bool, seen: int | None = None, at_top: bool = True) -> Markup:
    """Return the HTML of a list of cards, with a line above the first one that its reader has `seen`."""
    html = [_rendered(card, ago(card.created_at), has_menu, "") for card in cards]
    first = next((place for place, card in enumerate(cards) if card.id <= (seen or 0)), None)
    if first is not None:
        line = "You are all caught up" if at_top and first == 0 else "You have seen everything below"
        html[first] = render_card(cards[first], has_menu=has_menu, line=line)
    return Markup("").join(html)


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, has_menu: bool, line: str) -> Markup:
    template = current_app.jinja_env.get_template("posts/_card.html")
    return Markup(template.render(card=card, when=when, has_menu=has_menu, line=line))  # noqa: S704
