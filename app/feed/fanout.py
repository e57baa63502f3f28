"""Write timelines: push entries to followers, backfill a follow, throw homes away when an author is demoted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redis import Redis
from sqlalchemy import select, update

from app.activity.operations import State
from app.core.statements import rows_changed
from app.extensions import db, redis
from app.feed import generation, timeline
from app.feed.building import newest_by
from app.feed.models import BOTH, PULL, PUSH, AuthorMode
from app.social.models import Follow

SLICE = 5000
KEYS_PER_TRIP = 1000
COMMANDS_PER_TRIP = 40


@dataclass(frozen=True)
class Delivery:
    """A slice of one post's way: to whom, and from where to go on."""

    post_id: int
    author_id: int
    homes: Sequence[int]
    is_first: bool
    next_state: State | None

    def commands(self, now: str) -> list[timeline.Command]:
        """Return what puts the post into the homes; the author's own window and home come first, in every mode."""
        first = timeline.push_author(now, self.author_id, [self.post_id]) if self.is_first else ()
        homes = [self.author_id, *self.homes] if self.is_first else self.homes
        return [*first, *timeline.push_home(now, homes, [self.post_id])]


def plan(post_id: int, *, author_id: int, state: State) -> Delivery:
    """Plan a slice of a post's way to its author's followers."""
    after = state.get("after", 0)
    followers = followers_of(author_id, after=after) if mode_of(author_id) != PULL else []
    next_state = {"after": followers[-1][0]} if len(followers) == SLICE else None
    return Delivery(post_id, author_id, [follower for _, follower in followers], after == 0, next_state)


def deliver(deliveries: Sequence[Delivery]) -> None:
    """Write slices into the timelines that exist, a thousand or so keys in a round trip."""

    def push(client: Redis) -> None:
        now = generation.current()
        trip: list[timeline.Command] = []
        for delivery in deliveries:
            trip += delivery.commands(now)
            if len(trip) >= COMMANDS_PER_TRIP:
                timeline.send(client, trip)
                trip = []
        if trip:
            timeline.send(client, trip)

    redis.uninterrupted(push)


def backfill(*, follower_id: int, author_id: int) -> None:
    """Put the newest entries of an author into a follower's home. Runs after the follow is committed."""

    def push(client: Redis) -> None:
        now = generation.current()
        newest = db.session.scalars(newest_by(author_id)).all()
        if newest:
            timeline.send(client, list(timeline.push_home(now, [follower_id], newest)))

    redis.uninterrupted(push)


def throw_away_homes(author_id: int, *, state: State) -> State | None:
    """Delete a slice of an author's followers' homes; they are built again when they are read.

    At the end the author pushes, but only if the mode is still the one of this demotion.
    """
    followers = followers_of(author_id, after=state.get("after", 0))
    homes = [follower_id for _, follower_id in followers]

    def delete(client: Redis) -> None:
        now = generation.current()
        _in_trips(client, homes, lambda some: [("DEL", timeline.home_key(now, user_id)) for user_id in some])

    redis.uninterrupted(delete)
    if len(followers) == SLICE:
        return {**state, "after": followers[-1][0]}
    this_demotion = (AuthorMode.user_id == author_id, AuthorMode.mode == BOTH, AuthorMode.change == state["change"])
    rows_changed(update(AuthorMode).where(*this_demotion).values(mode=PUSH))
    return None


def mode_of(author_id: int) -> str:
    """Return how an author's entries travel, from Postgres: never from a process's memory."""
    mode = db.session.scalar(select(AuthorMode.mode).where(AuthorMode.user_id == author_id))
    return mode or PUSH


def followers_of(author_id: int, *, after: int) -> Sequence[tuple[int, int]]:
    """Return a slice of an author's followers as (id of the follow, follower), in the order they came."""
    slice_ = select(Follow.id, Follow.follower_id).where(Follow.followed_id == author_id, Follow.id > after)
    return [(row[0], row[1]) for row in db.session.execute(slice_.order_by(Follow.id).limit(SLICE))]


def _in_trips(
    client: Redis, user_ids: Sequence[int], commands: Callable[[Sequence[int]], list[timeline.Command]]
) -> None:
    for start in range(0, len(user_ids), KEYS_PER_TRIP):
        timeline.send(client, commands(user_ids[start : start + KEYS_PER_TRIP]))
