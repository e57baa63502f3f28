"""Which posts of a conversation have a place, decided over facts by the same clauses that SQL is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from app.accounts.reader import Reader
from app.core.paging import cut
from app.posts.facts import Facts
from app.posts.threads.structure import (
    BRANCHES,
    CANDIDATES,
    DEEPEST,
    MAX_COUNTED_ANSWERS,
    MAX_SHOWN_BELOW,
    Structure,
)
from app.posts.threads.tree import Below, Place, place_of
from app.posts.visibility import is_visible, is_visible_in_thread


class Undecided(Exception):
    """What decides was not read: there is more of the conversation than that."""


@dataclass(frozen=True)
class Decider:
    """Decides what hangs below a post, over what was read of it; raises `Undecided` where that is not enough."""

    structure: Structure
    facts: Mapping[int, Facts]
    viewer: Reader | None

    def below(self) -> Below:
        """Return the author's chain and a page of answers."""
        if not self.structure.is_whole:
            raise Undecided
        chain = tuple(self._link(post_id) for post_id in self.structure.links)
        page, next_after = cut(self._answers(), BRANCHES, key=lambda post_id: post_id)
        return Below(chain, [self._place(post_id) for post_id in page], next_after)

    def _link(self, post_id: int) -> Place:
        """Return a link of the chain; were it not for the viewer, another own answer would be the link."""
        post = self.facts.get(post_id)
        if post is None or not is_visible(post, self.viewer, muted_too=True):
            raise Undecided
        return Place(post_id, answers=len(self._listed_below(post_id)))

    def _answers(self) -> list[int]:
        """Return the first answers that have a place, one more than fit onto a page."""
        candidates = (self.structure.answers, self.structure.erased)
        known_to = min(ids[-1] if len(ids) == CANDIDATES else inf for ids in candidates)
        listed = [each for each in self.structure.answers if self._is_listed(each)]
        listed += [each for each in self.structure.erased if self._is_any_listed(each)]
        sure = sorted(each for each in listed if each <= known_to)[: BRANCHES + 1]
        if known_to < inf and len(sure) <= BRANCHES:
            raise Undecided
        return sure

    def _place(self, post_id: int, depth: int = 1) -> Place:
        listed = self._listed_below(post_id)
        below = tuple(self._place(each, depth + 1) for each in listed[:MAX_SHOWN_BELOW]) if depth < DEEPEST else ()
        return place_of(post_id, self.facts, viewer=self.viewer, answers=len(listed), below=below)

    def _listed_below(self, post_id: int) -> Sequence[int]:
        """Return the answers to a post that have a place, as far as they are counted."""
        answers = self.structure.below.get(post_id, ())
        listed = [each for each in answers if self._is_listed(each)]
        if len(answers) > MAX_COUNTED_ANSWERS > len(listed):
            raise Undecided
        return listed[:MAX_COUNTED_ANSWERS]

    def _is_listed(self, post_id: int) -> bool:
        """Say whether an answer has a place: one can see it, or something below it, however far down."""
        post = self.facts.get(post_id)
        return (post is not None and is_visible_in_thread(post, self.viewer)) or self._is_any_listed(post_id)

    def _is_any_listed(self, post_id: int) -> bool:
        if post_id in self.structure.deepest:
            raise Undecided
        answers = self.structure.below.get(post_id, ())
        if any(self._is_listed(each) for each in answers):
            return True
        if len(answers) > MAX_COUNTED_ANSWERS:
            raise Undecided
        return False
