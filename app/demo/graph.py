"""Make up who follows whom: those with shared interests, and those that everybody follows already."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from app.demo.people import ADMIN, CELEBRITY, MARKER, NEWCOMER, READER, Person

ROUNDS = 4
FOLLOWS_BACK = 0.35
COLLECTORS = 0.03
# 1 would let the most followed run away with everybody; there is to be one celebrity only.
ATTACHMENT = 0.82
FOLLOWED_BY_NAMED = {ADMIN: 70, READER: 80, CELEBRITY: 24, NEWCOMER: 0, MARKER: 0}


@dataclass(frozen=True)
class Following:
    """One follow, by handles."""

    follower: str
    followed: str
    moment: datetime


def make_followings(people: Sequence[Person], rng: Random, *, now: datetime, celebrity_needs: int) -> list[Following]:
    """Return all follows, the oldest first. The celebrity has `celebrity_needs` followers, or everybody."""
    graph = _Graph(people, rng)
    for round_number in range(1, ROUNDS + 1):
        graph.grow(round_number / ROUNDS)
    graph.gather(CELEBRITY, celebrity_needs)
    graph.follow(READER, CELEBRITY)
    joined = {person.handle: person.joined for person in people}
    followings = [
        Following(follower, followed, _moment(rng, max(joined[follower], joined[followed]), now))
        for follower, targets in graph.following.items()
        for followed in sorted(targets)
    ]
    return sorted(followings, key=lambda following: following.moment)


def _moment(rng: Random, earliest: datetime, now: datetime) -> datetime:
    share: float = rng.random() ** 1.6
    return earliest + (now - earliest) * (0.98 * share)


class _Graph:
    """Grows by preferential attachment: who has followers and shares interests gets more."""

    def __init__(self, people: Sequence[Person], rng: Random) -> None:
        self._rng = rng
        self._people = [person for person in people if person.handle not in (NEWCOMER, MARKER)]
        self._wanted = {person.handle: _wanted(person, rng) for person in people}
        self._charm = {person.handle: _charm(person, rng) for person in self._people}
        self._followers = dict.fromkeys(self._charm, 0)
        self.following: dict[str, set[str]] = {person.handle: set() for person in people}

    def grow(self, share: float) -> None:
        """Let everybody follow up to a share of the people they want to follow."""
        for person in self._rng.sample(self._people, len(self._people)):
            missing = round(self._wanted[person.handle] * share) - len(self.following[person.handle])
            if missing <= 0:
                continue
            for other in heapq.nsmallest(missing, self._candidates(person)):
                self.follow(person.handle, other[1])
                self._maybe_back(person, other[2])

    def gather(self, handle: str, needs: int) -> None:
        """Let more people follow one account until it has as many followers as it needs."""
        others = [person.handle for person in self._people if person.handle != handle]
        strangers = [other for other in others if handle not in self.following[other]]
        missing = max(0, needs - self._followers[handle])
        for other in self._rng.sample(strangers, min(missing, len(strangers))):
            self.follow(other, handle)

    def follow(self, follower: str, followed: str) -> None:
        """Let one follow the other; twice is the same as once."""
        if followed not in self.following[follower]:
            self.following[follower].add(followed)
            self._followers[followed] += 1

    def _candidates(self, person: Person) -> list[tuple[float, str, Person]]:
        """Return everybody else with a draw; the smallest draws are a weighted sample without replacement."""
        known = self.following[person.handle]
        return [
            (-math.log(1 - self._rng.random()) / self._weight(person, other), other.handle, other)
            for other in self._people
            if other.handle not in known and other is not person
        ]

    def _weight(self, person: Person, other: Person) -> float:
        shared = len(set(person.interests) & set(other.interests))
        near = 1.6 if person.home.city == other.home.city else 1.0
        fame: float = (6 + self._followers[other.handle]) ** ATTACHMENT
        return self._charm[other.handle] * fame * (1 + 3 * shared) * near

    def _maybe_back(self, person: Person, other: Person) -> None:
        has_room = len(self.following[other.handle]) < self._wanted[other.handle]
        if other.account is None and has_room and self._rng.random() < FOLLOWS_BACK:
            self.follow(other.handle, person.handle)


def _charm(person: Person, rng: Random) -> float:
    """Return how attractive a person is before anybody follows them."""
    if person.handle == CELEBRITY:
        return 25.0
    return min(4.0, rng.lognormvariate(0.4 if person.account else 0, 0.75))


def _wanted(person: Person, rng: Random) -> int:
    """Return how many people a person follows: most some dozens, a few hundreds."""
    if person.handle in FOLLOWED_BY_NAMED:
        return FOLLOWED_BY_NAMED[person.handle]
    if person.account is not None:
        return rng.randint(5, 25)
    if rng.random() < COLLECTORS:
        return rng.randint(200, 260)
    return min(120, max(6, round(rng.lognormvariate(math.log(30), 0.5))))
