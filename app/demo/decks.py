"""Draw sentences so that the same one comes again as late as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Generic, TypeVar

Card = TypeVar("Card")


class Deck(Generic[Card]):
    """Cards in random order; one that was drawn goes back near the bottom."""

    def __init__(self, cards: Sequence[Card], rng: Random) -> None:
        self._rng = rng
        self._cards: list[Card] = rng.sample(cards, len(cards))

    def draw(self, fits: Callable[[Card], bool]) -> Card | None:
        """Take the first card that fits."""
        for place, card in enumerate(self._cards):
            if fits(card):
                return self._cards.pop(place)
        return None

    def put_back(self, card: Card) -> None:
        """Return a card that can be used again."""
        size = len(self._cards)
        self._cards.insert(self._rng.randint(size * 3 // 4, size), card)
