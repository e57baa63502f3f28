"""Random histories of everything that can happen to a feed; after every step every page is what it must be.

Not only at rest: open work is merged, so the pages are right while no worker runs, while timelines are half built, and
while Redis is away, wiped or full of old data. Windows are tiny, so that their floors are crossed all the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from sqlalchemy import delete, select, update

from app.activity.models import OutboxRow
from app.core import redis as gate
from app.core.ids import MAX_ID
from app.extensions import db, redis
from app.feed import building, fanout, generation, timeline
from app.feed.building import Claim
from app.feed.models import FeedState
from tests.feed import schedule
from tests.feed.schedule import Stage, Walk

stage = schedule.stage

PEOPLE = 4
person = st.integers(0, PEOPLE - 1)
pair = st.tuples(person, person).filter(lambda two: two[0] != two[1])
windows = st.sampled_from([2, 3, 5, 10])  # from 10 on there is room for some more before they are trimmed
which = st.integers(0, 1_000)
run = count()


@dataclass
class HalfBuilt:
    """A build that somebody began and has not finished: claimed, and perhaps read."""

    claim: Claim
    ids: list[int] | None = None


class FeedMachine(RuleBasedStateMachine):
    """Some people, what they did in plain sets, and the engine that must agree."""

    def __init__(self, stage: Stage) -> None:
        super().__init__()
        self.stage = stage
        self.posts: dict[int, int] = {}  # not deleted: id -> author
        self.follows: set[tuple[int, int]] = set()
        self.mutes: set[tuple[int, int]] = set()
        self.blocks: set[tuple[int, int]] = set()
        self.written: list[tuple[int, int]] = []
        self.half_built: list[HalfBuilt] = []
        self.walks: list[Walk] = []
        self.saved: dict[bytes, bytes] = {}
        self.away_for = 0
        self.absent: set[int] = set()

    @property
    def is_away(self) -> bool:
        return self.away_for > 0

    @property
    def app(self) -> Flask:
        return self.stage.app

    @initialize(window=windows, follows=st.lists(pair, max_size=8, unique=True), posts=st.lists(person, max_size=12))
    def begin(self, window: int, follows: list[tuple[int, int]], posts: list[int]) -> None:
        with self.app.app_context():
            db.session.execute(delete(OutboxRow))
            db.session.commit()
        self.stage.raw().flushall()
        self.people = self.stage.people(*(f"p{next(run)}" for _ in range(PEOPLE)))
        self.stage.window(window)
        for who, whom in follows:
            self.follow((who, whom), and_backfill=True)
        for author in posts:
            self.post(author, 1)
        self.stage.work()

    # ---- what the feed must be

    def expected(self, reader: int) -> list[int]:
        return sorted((post for post, author in self.posts.items() if self.sees(reader, author)), reverse=True)

    def sees(self, reader: int, author: int) -> bool:
        if reader == author:
            return True
        return (reader, author) in self.follows - self.mutes and not self.is_blocked(reader, author)

    def is_blocked(self, a: int, b: int) -> bool:
        return bool({(a, b), (b, a)} & self.blocks)

    @invariant()
    def every_page_is_right(self) -> None:
        for number, reader in enumerate(self.people):
            # Only a first page builds what is cold. Of somebody who is absent we read as if it were not the first.
            before = MAX_ID if number in self.absent else None
            got = [entry for page in self.stage.pages(reader, 2, before) for entry in page]
            assert got == self.expected(number), f"{reader} has {self.stage.home(reader)}"
        for walk in self.walks:
            walk.there &= set(self.expected(self.people.index(walk.reader)))
        if self.away_for == 1:
            self.stage.reconnect()
        self.away_for = max(0, self.away_for - 1)

    def teardown(self) -> None:
        """At rest, compare with the feed by SQL too."""
        if not hasattr(self, "people"):
            return
        self.stage.reconnect()
        for walk in self.walks:
            walk.to_the_end()
        self.stage.work()
        for number, reader in enumerate(self.people):
            assert self.stage.oracle(reader) == self.expected(number)
        self.stage.check(*self.people)

    # ---- people

    @rule(author=person, times=st.integers(1, 3))
    def post(self, author: int, times: int) -> None:
        for _ in range(times):
            post = self.stage.post(self.people[author])
            self.posts[post] = author
            self.written.append((post, author))

    @rule(n=which)
    def delete(self, n: int) -> None:
        if self.posts:
            post = sorted(self.posts)[n % len(self.posts)]
            self.stage.delete(post)
            del self.posts[post]

    @rule(two=pair, and_backfill=st.booleans())
    def follow(self, two: tuple[int, int], and_backfill: bool) -> None:
        """Follow, with the backfill as in the route, or left to whoever runs the row."""
        if self.is_blocked(*two):
            return
        if and_backfill:
            self.stage.follow(self.people[two[0]], self.people[two[1]])
        else:
            self.relate("follow", two)
        self.follows.add(two)

    @rule(two=pair)
    def unfollow(self, two: tuple[int, int]) -> None:
        self.relate("unfollow", two)
        self.follows.discard(two)

    @rule(two=pair)
    def mute(self, two: tuple[int, int]) -> None:
        self.relate("mute", two)
        self.mutes.add(two)

    @rule(two=pair)
    def unmute(self, two: tuple[int, int]) -> None:
        self.relate("unmute", two)
        self.mutes.discard(two)

    @rule(two=pair)
    def block(self, two: tuple[int, int]) -> None:
        self.relate("block", two)
        self.blocks.add(two)
        self.follows -= {two, (two[1], two[0])}

    @rule(two=pair)
    def unblock(self, two: tuple[int, int]) -> None:
        self.relate("unblock", two)
        self.blocks.discard(two)

    def relate(self, what: str, two: tuple[int, int]) -> None:
        self.stage.relate(what, self.people[two[0]], self.people[two[1]])

    @rule(author=person)
    def promote(self, author: int) -> None:
        self.stage.promote(self.people[author])

    @rule(author=person)
    def demote(self, author: int) -> None:
        self.stage.demote(self.people[author])

    # ---- readers

    @rule(reader=person)
    def come_or_go(self, reader: int) -> None:
        """Whoever is absent does not build their home."""
        self.absent ^= {reader}

    @rule(reader=person, size=st.integers(1, 2))
    def begin_a_walk(self, reader: int, size: int) -> None:
        self.walks.append(Walk(self.stage, self.people[reader], size))

    @rule(n=which)
    def go_on_with_a_walk(self, n: int) -> None:
        going = [walk for walk in self.walks if not walk.has_ended]
        if going:
            going[n % len(going)].page()

    # ---- workers

    @rule(n=which, times=st.integers(1, 2))
    def run_a_row(self, n: int, times: int) -> None:
        with self.app.app_context():
            rows = list(db.session.scalars(select(OutboxRow.id).order_by(OutboxRow.id)))
        for _ in range(times if rows else 0):
            self.stage.run(rows[n % len(rows)])

    @precondition(lambda self: not self.is_away)
    @rule()
    def run_all_rows(self) -> None:
        self.stage.work()

    @precondition(lambda self: not self.is_away and self.written)
    @rule(n=which)
    def run_a_late_twin(self, n: int) -> None:
        """A fan-out that finished long ago, or never began, comes once more."""
        post, _ = self.written[n % len(self.written)]
        with self.app.app_context():
            fanout.deliver([plan for plan in fanout.plan([(post, {})]) if plan])
            db.session.commit()

    @rule(slice_=st.sampled_from([1, 2, 5000]))
    def change_the_slice(self, slice_: int) -> None:
        self.stage.monkeypatch.setattr(fanout, "SLICE", slice_)

    # ---- builders

    @precondition(lambda self: not self.is_away)
    @rule(n=person, is_home=st.booleans())
    def begin_a_build(self, n: int, is_home: bool) -> None:
        user = self.people[n]
        self.stage.drop(self.stage.home_key(user) if is_home else self.stage.author_key(user))
        with self.app.app_context(), redis.client() as client:
            home_of, authors = (user, []) if is_home else (None, [user])
            claims = building.claim(
                client, generation.current(), timeline.new_token(), home_of=home_of, authors=authors
            )
        self.half_built += [HalfBuilt(claim) for claim in claims]

    @precondition(lambda self: self.half_built and not self.is_away)
    @rule(n=which)
    def go_on_with_a_build(self, n: int) -> None:
        """Take the snapshot or, some time later, fill it in."""
        half = self.half_built[n % len(self.half_built)]
        if half.ids is None:
            newest = building.newest_in_home if half.claim.is_home else building.newest_by
            with self.app.app_context():
                half.ids = list(db.session.scalars(newest(half.claim.user_id)))
        else:
            with self.app.app_context(), redis.client() as client:
                timeline.send(client, [timeline.fill(half.claim.key, half.claim.token, half.ids)])
            self.half_built.remove(half)

    # ---- Redis

    @rule(n=person)
    def expire(self, n: int) -> None:
        self.stage.drop(self.stage.home_key(self.people[n]))
        self.stage.drop(self.stage.author_key(self.people[n]))

    @rule()
    def wipe(self) -> None:
        self.stage.raw().flushall()

    @rule()
    def save(self) -> None:
        self.saved = self.stage.save()

    @rule()
    def restart_with_old_data(self) -> None:
        """As good as a restart: other data, and a run id that is not the one we know."""
        raw = self.stage.raw()
        raw.flushall()
        for key, dump in self.saved.items():
            raw.restore(key, 0, dump)
        with self.app.app_context():
            db.session.execute(update(FeedState).values(redis_run_id="another"))
            db.session.commit()
        if not self.is_away:
            with redis.client() as client:
                client.connection_pool.disconnect()

    @precondition(lambda self: not self.is_away)
    @rule(steps=st.integers(1, 3))
    def go_away(self, steps: int) -> None:
        """Redis does not answer for some steps."""
        redis._trip(RedisConnectionError("for the test"))
        self.away_for = steps

    @rule(window=windows)
    def change_the_window(self, window: int) -> None:
        self.stage.window(window)


def test_F1_to_F7_hold_in_random_histories(stage: Stage) -> None:
    stage.monkeypatch.setattr(gate, "OPEN_SECONDS", 3600.0)  # it comes back when the history says so
    run_state_machine_as_test(
        lambda: FeedMachine(stage),  # type: ignore[arg-type]
        settings=settings(
            max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
