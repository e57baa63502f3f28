"""Cards as HTML, kept: a card looks the same to many, and a popular post is shown thousands of times."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import lru_cache

from flask import current_app
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from app.core.times import ago
from app.posts.cards.cards import PostCard

# Stands in kept cards for the token of whoever they are shown to. Nobody can write it into a post: it is drawn anew by
# every process, and leaves none.
TOKEN = secrets.token_hex(16)


def render_card(card: PostCard, *, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    return _for_this_session(_rendered(card, ago(card.created_at), has_menu, line), has_menu)


def render_cards(cards: Sequence[PostCard], *, has_menu: bool, seen: int | None = None, at_top: bool = True) -> Markup:
    """Return the HTML of a list of cards, with a line above the first one that its reader has `seen`."""
    html = [_rendered(card, ago(card.created_at), has_menu, "") for card in cards]
    first = next((place for place, card in enumerate(cards) if card.entry_id <= (seen or 0)), None)
    if first is not None:
        line = "You’re all caught up" if at_top and first == 0 else "You’ve seen everything below"
        html[first] = _rendered(cards[first], ago(cards[first].created_at), has_menu, line)
    return _for_this_session("".join(html), has_menu)


def _for_this_session(html: str, has_menu: bool) -> Markup:
    """Put the session's token into the forms of a card; a stranger's has none."""
    return Markup(str.replace(html, TOKEN, generate_csrf()) if has_menu else html)  # noqa: S704


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, has_menu: bool, line: str) -> str:
    template = current_app.jinja_env.get_template("posts/_card.html")
    return template.render(card=card, when=when, has_menu=has_menu, line=line, token=TOKEN)
