"""Cards as HTML, kept: a card looks the same to many, and a popular post is shown thousands of times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from markupsafe import Markup

from app.core.times import ago
from app.posts.cards.cards import PostCard
from app.web import kept
from app.web.csrf import current_token

CAUGHT_UP, SEEN_BELOW = "You’re all caught up", "You’ve seen everything below"


def render_card(card: PostCard, *, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    return _as_markup([_rendered(card, ago(card.created_at), has_menu, line)], has_menu)


def card_parts(card: PostCard, *, has_menu: bool) -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs."""
    return _rendered(card, ago(card.created_at), has_menu, "")


def render_cards(cards: Sequence[PostCard], *, has_menu: bool, seen: int | None = None, at_top: bool = True) -> Markup:
    """Return the HTML of a list of cards, with a line above the first one that its reader has `seen`."""
    return _as_markup(_list(cards, has_menu, seen, at_top), has_menu)


def cards_for_member(cards: Sequence[PostCard], token: bytes, *, seen: int | None, at_top: bool) -> bytes:
    """Return the same for the page of a viewer who is logged in, as it is sent."""
    return b"".join([token.join(parts) for parts in _list(cards, True, seen, at_top)])


def _list(cards: Sequence[PostCard], has_menu: bool, seen: int | None, at_top: bool) -> list[tuple[bytes, ...]]:
    html = [_rendered(card, ago(card.created_at), has_menu, "") for card in cards]
    first = next((place for place, card in enumerate(cards) if card.entry_id <= (seen or 0)), None)
    if first is not None:
        line = CAUGHT_UP if at_top and first == 0 else SEEN_BELOW
        html[first] = _rendered(cards[first], ago(cards[first].created_at), has_menu, line)
    return html


def _as_markup(html: Sequence[tuple[bytes, ...]], has_menu: bool) -> Markup:
    """Put the session's token into the forms of cards; those of a stranger have none."""
    token = current_token().encode() if has_menu else b""
    return Markup(b"".join([token.join(parts) for parts in html]).decode())  # noqa: S704


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, has_menu: bool, line: str) -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs."""
    context = {"card": card, "when": when, "has_menu": has_menu, "line": line, "oob": False}
    return kept.render("posts/_card.html", **context, token=kept.slot("token")).parts
