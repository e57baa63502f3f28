"""Conversations as HTML: kept cards, put into the kept HTML of their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from app.core.zones import Zone
from app.posts.cards.cards import PostCard
from app.posts.cards.rendering import card_parts
from app.posts.threads.conversations import Conversation
from app.posts.threads.tree import Place
from app.web import kept
from app.web.csrf import current_token
from app.web.kept import Kept, slot


@dataclass(frozen=True)
class ThreadHtml:
    """What surrounds a post, ready to be shown."""

    above: Markup
    below: Markup  # the author's chain, and the answers


def render_thread(thread: Conversation, *, zone: Zone, has_menu: bool) -> ThreadHtml:
    """Return the HTML of what surrounds a post; the forms of its cards have the session's token."""
    around = _Around(thread.cards, current_token().encode() if has_menu else b"", zone, has_menu)
    last = len(thread.chain) - 1
    below = [
        around.link(place, is_last=number == last, goes_on=thread.chain_goes_on)
        for number, place in enumerate(thread.chain)
    ]
    below += [around.branch(place) for place in thread.page.items]
    return ThreadHtml(_joined(around.post(place, is_above=True) for place in thread.above.places), _joined(below))


def _joined(html: Iterable[bytes]) -> Markup:
    return Markup(b"".join(html).decode())  # noqa: S704


@dataclass(frozen=True)
class _Around:
    cards: Mapping[int, PostCard]
    token: bytes
    zone: Zone
    has_menu: bool

    def post(self, place: Place, *, is_above: bool = False) -> bytes:
        """Return the card in a place, or why there is none."""
        card = self.cards.get(place.id)
        if card is None:
            return _missing(place.id, place.missing, place.url, place.is_unwanted, is_above)
        return self.token.join(card_parts(card, zone=self.zone, has_menu=self.has_menu))

    def branch(self, place: Place) -> bytes:
        """Return an answer, the first few answers to it, and the way to the rest."""
        below = b"".join([self.branch(each) for each in place.below])
        frame = _branch(bool(below), place.more, place.is_counted, self._onwards(place))
        return frame.fill({"post": self.post(place), "below": below})

    def link(self, place: Place, *, is_last: bool, goes_on: bool) -> bytes:
        """Return a link of the author's chain."""
        frame = _link(place.more, place.is_counted, self._onwards(place), is_last, is_last and goes_on)
        return frame.fill({"post": self.post(place)})

    def _onwards(self, place: Place) -> str:
        """Return where the answers are that are not shown; one address for all places without any."""
        if place.more <= 0:
            return ""
        card = self.cards.get(place.id)
        return f"{card.url}#post-{place.id}" if card else place.url


@lru_cache(maxsize=1000)
def _branch(has_below: bool, more: int, is_counted: bool, url: str) -> Kept:
    slots = {"post": slot("post"), "below": slot("below") if has_below else ""}
    return kept.render("posts/_branch.html", **slots, more=more, is_counted=is_counted, url=url)


@lru_cache(maxsize=1000)
def _link(more: int, is_counted: bool, url: str, is_last: bool, goes_on: bool) -> Kept:
    context = {"more": more, "is_counted": is_counted, "url": url, "is_last": is_last, "goes_on": goes_on}
    return kept.render("posts/_link_of_chain.html", post=slot("post"), **context)


@lru_cache(maxsize=1000)
def _missing(post_id: int, why: str, url: str, is_unwanted: bool, is_above: bool) -> bytes:
    context = {"post_id": post_id, "why": why, "url": url, "is_unwanted": is_unwanted, "is_above": is_above}
    return kept.render("posts/_missing.html", **context).parts[0]
