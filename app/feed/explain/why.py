"""Why am I seeing this? What the clauses find about an entry, in sentences to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.accounts.models import User
from app.core.text import mentioned_handles, to_html
from app.feed.explain.findings import Explanation, explain_entry
from app.posts.cards.cards import PostCard


@dataclass(frozen=True)
class Answer:
    """Why a reader sees an entry, in sentences to them."""

    card: PostCard
    opening: str
    sentences: Sequence[Markup]
    closing: Markup


def answer(reader: User, card: PostCard, *, place: str | None) -> Answer:
    """Tell a reader why an entry is on the page where they met it; `place` says what that page shows, None is home."""
    explained = explain_entry(card.entry_id, reader)
    told = [finding for finding in explained.findings if finding.tells]
    if not explained.is_in:  # what would let it through does not matter where something else does not
        told = [finding for finding in told if finding.lets_through is not True] or told
    if place is None:
        opening = "It’s in your home feed." if explained.is_in else "It’s no longer in your home feed."
    else:
        opening = f"{place} {'It’s also in your home feed.' if explained.is_in else 'It’s not in your home feed.'}"
    sentences = [_linked(finding.tells or "") for finding in told]
    return Answer(card, opening, sentences, _linked(_closing(explained, reader)))


def _linked(sentence: str) -> Markup:
    return to_html(sentence, frozenset(mentioned_handles(sentence)))


def _closing(explained: Explanation, reader: User) -> str:
    entry = explained.entry.facts
    checked = "Checked against your mutes, blocks and word filters"
    if not explained.is_in:
        return f"{checked}."
    if entry.author_id == reader.id:
        is_repost = entry.repost_of_id is not None
        return f"{checked}; nothing hides it." if is_repost else "Your own posts are never hidden from you."
    ways = f"unfollow or mute @{entry.handle}" if entry.volume else f"mute @{entry.handle}"
    return f"{checked}; nothing hides it. To see less like this, {ways}, mute this conversation or filter its words."
