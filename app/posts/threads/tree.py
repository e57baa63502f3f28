"""Conversations: what a post answers and what answers it.

How one reads: what the author went on to say comes first and in one piece, as it was written; then the answers, the
oldest first, because people answer what is there already, and because new ones arrive below and move nothing. Under
each answer come the first few answers to it; whatever is left out is counted and has an address.

A post that cannot be shown leaves a place where something hangs below it. One that was erased with its author's account
has left no row: its answers still know its id, which is its time, so it stands in its order below the first post of the
conversation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from app import addresses
from app.accounts.reader import Reader
from app.posts.cards.missing import why_missing
from app.posts.facts import Facts
from app.posts.threads.structure import MAX_COUNTED_ANSWERS
from app.posts.visibility import is_visible, is_visible_in_thread


@dataclass(frozen=True, slots=True)
class Place:
    """A post's place in a conversation, whether or not it can be shown there."""

    id: int
    is_gone: bool = False
    is_unwanted: bool = False  # the viewer chose not to read it
    is_shown: bool = True
    answers: int = 0  # that the viewer would find below it, counted up to MAX_COUNTED_ANSWERS
    below: tuple[Place, ...] = ()

    @property
    def more(self) -> int:
        """Return how many answers are not shown below it."""
        return self.answers - len(self.below)

    @property
    def is_counted(self) -> bool:
        """Say whether `more` is the whole number."""
        return self.answers < MAX_COUNTED_ANSWERS

    @property
    def missing(self) -> str:
        """Return why it is not shown, in words."""
        return why_missing(is_gone=self.is_gone, is_unwanted=self.is_unwanted)

    @property
    def url(self) -> str:
        """Return where it is read with what hangs below it, also where its author must not be named."""
        return addresses.thread(self.id)


@dataclass(frozen=True, slots=True)
class Above:
    """What a post answers, the nearest last; `beginning` is the first post of the conversation if it is farther up."""

    places: tuple[Place, ...] = ()
    beginning: Place | None = None


@dataclass(frozen=True, slots=True)
class Below:
    """How the author went on, and a page of the answers with what hangs below them; `next_after` starts the next."""

    chain: tuple[Place, ...]
    answers: Sequence[Place]
    next_after: int | None


def place_of(
    post_id: int,
    facts: Mapping[int, Facts],
    *,
    viewer: Reader | None,
    answers: int = 0,
    below: tuple[Place, ...] = (),
) -> Place:
    """Return the place of a post, decided over facts; without facts, it has left no row."""
    post = facts.get(post_id)
    if post is None:
        return Place(post_id, is_gone=True, is_shown=False, answers=answers, below=below)
    is_shown = is_visible_in_thread(post, viewer)
    return Place(
        post_id,
        is_gone=post.is_deleted or post.author_is_deleted,
        is_unwanted=not is_shown and is_visible(post, viewer, muted_too=True),
        is_shown=is_shown,
        answers=answers,
        below=below,
    )


def ids_in(places: Iterable[Place]) -> list[int]:
    """Return the ids of the posts that are shown in some places and below them."""
    found = []
    for place in places:
        if place.is_shown:
            found.append(place.id)
        if place.below:
            found += ids_in(place.below)
    return found
