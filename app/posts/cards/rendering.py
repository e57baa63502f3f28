"""Cards as HTML, kept: a card looks the same to many, and a popular post is shown thousands of times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from app.core.times import ago, short_day
from app.core.zones import Zone
from app.posts.cards.cards import PostCard
from app.web import kept
from app.web.csrf import current_token


class Line(NamedTuple):
    """What stands above an entry of a list, such as where its reader left off."""

    entry_id: int
    words: str


def render_card(card: PostCard, *, zone: Zone, has_menu: bool, line: str = "") -> Markup:
    """Return the HTML of a card; `line` is what stands above it, such as where a reader left off."""
    token = current_token() if has_menu else ""
    return Markup(token.encode().join(card_parts(card, zone=zone, has_menu=has_menu, line=line)).decode())  # noqa: S704


def card_parts(card: PostCard, *, zone: Zone, has_menu: bool, line: str = "") -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs.

    It is kept for all time zones in which its words are the same. Only that of a day differs, and only near midnight.
    """
    reposted = ago(card.entered_at, zone) if card.is_repost else ""
    quoted = short_day(card.quoted.created_at, zone) if card.quoted else ""
    return _rendered(card, ago(card.created_at, zone), reposted, quoted, has_menu, line)


def render_cards(cards: Sequence[PostCard], *, zone: Zone, has_menu: bool) -> Markup:
    """Return the HTML of some cards; the forms of those of a stranger have no token, as there are none."""
    token = current_token().encode() if has_menu else b""
    html = [token.join(card_parts(card, zone=zone, has_menu=has_menu)) for card in cards]
    return Markup(b"".join(html).decode())  # noqa: S704


@lru_cache(maxsize=5000)
def _rendered(card: PostCard, when: str, reposted: str, quoted_on: str, has_menu: bool, line: str) -> tuple[bytes, ...]:
    """Return the HTML of a card, cut where the token of a session belongs."""
    times = {"when": when, "reposted": reposted, "quoted_on": quoted_on}
    context = {"card": card, **times, "has_menu": has_menu, "line": line, "oob": False}
    return kept.render("posts/_card.html", **context, token=kept.slot("token")).parts
