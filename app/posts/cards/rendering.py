"""Cards as HTML, kept: a card looks the same to many, and a popular post is shown thousands of times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from app.core.times import ago
from app.posts.cards.cards import PostCard
from app.web import kept
from app.web.csrf import current_token


class Line(NamedTuple):
    """What stands above an entry of a list, such as where its reader left off."""

    entry_id: int
    words: str


def render_card(card: PostCard, *, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    token = current_token() if has_menu else ""
    return Markup(token.encode().join(card_parts(card, has_menu=has_menu, line=line)).decode())  # noqa: S704


def card_parts(card: PostCard, *, has_menu: bool, line: str = "") -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs."""
    reposted = ago(card.entered_at) if card.entry_id != card.id else ""
    return _rendered(card, ago(card.created_at), reposted, has_menu, line)


def render_cards(cards: Sequence[PostCard], *, has_menu: bool) -> Markup:
    """Return the HTML of some cards; the forms of those of a stranger have no token, as there are none."""
    token = current_token().encode() if has_menu else b""
    return Markup(b"".join([token.join(card_parts(card, has_menu=has_menu)) for card in cards]).decode())  # noqa: S704


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, reposted: str, has_menu: bool, line: str) -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs."""
    context = {"card": card, "when": when, "reposted": reposted, "has_menu": has_menu, "line": line, "oob": False}
    return kept.render("posts/_card.html", **context, token=kept.slot("token")).parts
