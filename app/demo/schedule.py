"""Make up when people write: some all day long, most now and then, nobody before they joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo.moments import RHYTHMS
from app.demo.people import Person

LURKERS = 0.12
MAX_PER_DAY = 2.6
# How fast activity falls from the busiest to the quietest; 1 would be Zipf's law.
STEEPNESS = 0.7
NEWEST = timedelta(minutes=2)
FRESH_POSTS = 16
SETTLED = timedelta(hours=6)


@dataclass(frozen=True)
class Slot:
    """A moment at which an author writes."""

    moment: datetime
    author: Person


def make_schedule(people: Sequence[Person], rng: Random, *, now: datetime, total: int) -> list[Slot]:
    """Return who writes when, the newest first; the last minutes are never empty."""
    slots = [Slot(moment, author) for author, moment in _fresh(people, rng, now)]
    named = {person.handle: int(person.account.words["posts"][0]) for person in people if person.account}
    counts = named | _shares([person for person in people if not person.account], rng, now, total - sum(named.values()))
    for person in people:
        slots += [Slot(a_moment_of(person, rng, now), person) for _ in range(counts[person.handle])]
    return sorted(slots, key=lambda slot: slot.moment, reverse=True)


def _shares(people: Sequence[Person], rng: Random, now: datetime, total: int) -> dict[str, int]:
    """Divide the posts among ordinary people by a power law; newcomers had less time."""
    eagerness = [0.0 if rng.random() < LURKERS else (rank + 3) ** -STEEPNESS for rank in range(len(people))]
    rng.shuffle(eagerness)
    days = {person.handle: (now - person.joined) / timedelta(days=1) for person in people}
    weights = {person.handle: eager * days[person.handle] for person, eager in zip(people, eagerness, strict=True)}
    per_weight = total / sum(weights.values())
    for _ in range(6):  # what the busiest may not write is left to the others
        shares = {handle: min(weights[handle] * per_weight, MAX_PER_DAY * days[handle]) for handle in weights}
        per_weight *= total / sum(shares.values())
    return {handle: round(share) for handle, share in shares.items()}


def a_moment_of(person: Person, rng: Random, now: datetime) -> datetime:
    """Return a moment at which the author was awake and willing; a few tries for those who have just joined."""
    begin, end = person.joined + timedelta(minutes=4), now - NEWEST
    for _ in range(40):
        moment = begin + (end - begin) * rng.random()
        if rng.random() * 10 < _willingness(person, moment):
            return moment
    return moment


def _fresh(people: Sequence[Person], rng: Random, now: datetime) -> list[tuple[Person, datetime]]:
    """Return posts of the last hours at growing distances, by people who are awake."""
    fresh, age = [], NEWEST
    for _ in range(FRESH_POSTS):
        moment = now - age
        awake = [person for person in people if not person.account and person.joined + SETTLED < moment]
        weights = [_willingness(person, moment) for person in awake]
        if sum(weights) > 0:
            fresh.append((rng.choices(awake, weights)[0], moment))
        age *= rng.uniform(1.15, 1.6)
    return fresh


def _willingness(person: Person, moment: datetime) -> int:
    return RHYTHMS[person.rhythm][person.home.local(moment).hour]
