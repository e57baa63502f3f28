"""A whole made-up population: the same for the same seed and moment, and nothing of it in the database yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from app.core import ids
from app.demo.conversations import make_conversations
from app.demo.graph import Following, make_followings
from app.demo.people import Person, make_people
from app.demo.quotes import make_quotes
from app.demo.reactions import USUAL_LIKES, USUAL_REPOSTS, Reaction, make_reactions
from app.demo.rounds import make_rounds
from app.demo.schedule import Slot, make_schedule
from app.demo.writing import Writer, Written

SEED = 1912
WEEKS = 6
POSTS = 6000

Item = TypeVar("Item")
Track = Callable[[str, Sequence[Item]], Iterable[Item]]


@dataclass(frozen=True)
class Population:
    """All people, the accounts they follow and what they wrote, each in order of time."""

    people: list[Person]
    followings: list[Following]
    posts: list[Written]
    quotes: list[Written]
    likes: list[Reaction]
    reposts: list[Reaction]


def untracked(title: str, items: Sequence[Item]) -> Iterable[Item]:
    """Show no progress."""
    return items


def make_population(
    *, now: datetime, celebrity_needs: int, longest: int, seed: int = SEED, track: Track[Slot] = untracked
) -> Population:
    """Make up a population as it is at this moment."""
    rng = Random(seed)
    start = max(now - timedelta(weeks=WEEKS), ids.EPOCH)
    people = make_people(rng, start=start, now=now)
    followings = make_followings(people, rng, now=now, celebrity_needs=celebrity_needs)
    friends = _friends(people, followings)
    talk = make_conversations(friends, rng, now=now, longest=longest)
    talk += make_rounds(people, followings, rng, now=now, longest=longest)
    writer = Writer(friends, rng, longest=longest)
    schedule = make_schedule(people, rng, now=now, total=POSTS - len(talk))
    posts = [*talk, *_monologues(track("Writing posts", schedule), writer)]
    posts.sort(key=_moment_of)
    likes = make_reactions(posts, followings, rng, now=now, usual=USUAL_LIKES)
    reposts = make_reactions(posts, followings, rng, now=now, usual=USUAL_REPOSTS)
    # Quotes come after all others, so that the numbers of the posts stay what they are.
    quotes = sorted(make_quotes(posts, reposts, rng, now=now, longest=longest), key=_moment_of)
    return Population(people, followings, posts, quotes, likes, reposts)


def _moment_of(post: Written) -> datetime:
    return post.moment


def _monologues(schedule: Iterable[Slot], writer: Writer) -> Iterable[Written]:
    for slot in schedule:
        if text := writer.post(slot.author, slot.moment):
            yield Written(slot.author.handle, slot.moment, text)


def _friends(people: Sequence[Person], followings: Sequence[Following]) -> dict[Person, list[Person]]:
    """Return for everybody the people they follow who follow them too."""
    by_handle = {person.handle: person for person in people}
    pairs = {(following.follower, following.followed) for following in followings}
    friends: dict[Person, list[Person]] = {person: [] for person in people}
    for follower, followed in sorted(pairs):
        if (followed, follower) in pairs:
            friends[by_handle[follower]].append(by_handle[followed])
    return friends
