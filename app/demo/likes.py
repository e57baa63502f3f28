"""Who likes what: a few of an author's followers, within a day or so; some posts please many more than others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from app.demo.graph import Following
from app.demo.writing import Written

USUAL = 0.03  # the part of the followers whom an ordinary post pleases
MOST = 0.6
SOON = timedelta(hours=5)


@dataclass(frozen=True)
class Liking:
    """One like: which of all posts, by whom, when."""

    post: int
    handle: str
    moment: datetime


def make_likes(
    posts: Sequence[Written], followings: Sequence[Following], rng: Random, *, now: datetime
) -> list[Liking]:
    """Make up the likes of a population, in order of time."""
    followers: dict[str, list[Following]] = defaultdict(list)
    for following in followings:
        followers[following.followed].append(following)
    likes = [
        liking
        for number, post in enumerate(posts)
        for liking in _likes_of(number, post, followers[post.author], rng)
        if liking.moment < now
    ]
    return sorted(likes, key=lambda liking: liking.moment)


def _likes_of(number: int, post: Written, followers: Sequence[Following], rng: Random) -> Iterator[Liking]:
    appeal = min(MOST, USUAL * rng.paretovariate(1.2))
    for following in followers:
        if following.moment <= post.moment and rng.random() < appeal:
            yield Liking(number, following.follower, post.moment + SOON * rng.expovariate(1))
