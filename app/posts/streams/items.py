"""How a list of posts is laid out: conversations in one piece. It says how entries look, never which there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.posts.cards.cards import PostCard


@dataclass(frozen=True, slots=True)
class Item:
    """One place of a list: a post, or the posts of one conversation in the order in which they are read."""

    cards: tuple[PostCard, ...]

    @property
    def newest(self) -> int:
        """Return the entry whose place it has."""
        return self.cards[-1].entry_id


def line_at(layout: Sequence[Item], entry_id: int) -> int | None:
    """Return the first place where all is as old as an entry; None where every item has something newer."""
    return next((place for place, item in enumerate(layout) if item.newest <= entry_id), None)


def one_by_one(cards: Sequence[PostCard]) -> list[Item]:
    """Lay out every post on its own."""
    return [Item((card,)) for card in cards]


def grouped(cards: Sequence[PostCard]) -> list[Item]:
    """Lay out cards, given newest first: a conversation is one item, in the place of its newest entry.

    A repost is an item of its own: it says that somebody hands on a post today, not how a conversation goes on.
    """
    conversations: dict[int, list[PostCard]] = {}
    for card in cards:
        conversations.setdefault(card.entry_id if card.is_repost else card.conversation_id, []).append(card)
    return [Item(tuple(reversed(each))) for each in conversations.values()]
