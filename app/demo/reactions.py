"""Who likes and reposts what: a few of an author's followers, within a day or so; some posts please many more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo.graph import Following
from app.demo.writing import Written

USUAL_LIKES = 0.03  # the part of the followers who like an ordinary post
USUAL_REPOSTS = 0.0015
MAX_APPEAL = 0.6
SOON = timedelta(hours=5)


@dataclass(frozen=True)
class Reaction:
    """One like or repost: of which of all posts, by whom, when."""

    post: int
    handle: str
    moment: datetime


def make_reactions(
    posts: Sequence[Written], followings: Sequence[Following], rng: Random, *, now: datetime, usual: float
) -> list[Reaction]:
    """Make up the reactions of a population, in order of time; `usual` is the part of the followers who react."""
    followers: dict[str, list[Following]] = defaultdict(list)
    for following in followings:
        followers[following.followed].append(following)
    reactions = [
        reaction
        for number, post in enumerate(posts)
        for reaction in _reactions_to(number, post, followers[post.author], rng, usual)
        if reaction.moment < now
    ]
    return sorted(reactions, key=lambda reaction: reaction.moment)


def _reactions_to(
    number: int, post: Written, followers: Sequence[Following], rng: Random, usual: float
) -> Iterator[Reaction]:
    appeal = min(MAX_APPEAL, usual * rng.paretovariate(1.2))
    for following in followers:
        if following.moment <= post.moment and rng.random() < appeal:
            yield Reaction(number, following.follower, post.moment + SOON * rng.expovariate(1))
