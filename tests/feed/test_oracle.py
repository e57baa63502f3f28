"""Random histories: after every step each reader's feed is what a naive reading of the history says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from app.accounts.models import User
from app.core import clock
from app.core.database import read_only
from app.extensions import db
from app.feed.home import from_postgres
from app.feed.home.page import Merged, merge
from app.feed.timelines.keys import Window
from app.posts.models import Post
from tests.examples import examples
from tests.feed.model import Entry, Mute, World
from tests.people import Member

PEOPLE = ("ann", "ben", "cat")
pairs = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)).filter(lambda pair: pair[0] != pair[1])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(PEOPLE)),
        st.tuples(st.sampled_from(["reply", "repost"]), st.tuples(st.sampled_from(PEOPLE), st.integers(0, 20))),
        st.tuples(st.just("delete"), st.integers(0, 20)),
        st.tuples(st.sampled_from(["follow", "unfollow", "mute", "unmute", "block", "unblock"]), pairs),
    ),
    min_size=5,
    max_size=20,
)


class History:
    """What happened, and the feed by its definition (see model.py)."""

    def __init__(self, people: dict[str, Member]) -> None:
        self.people = people
        self.world = World(clock.now())

    def feed_of(self, reader: str) -> list[int]:
        return self.world.home(self.people[reader].id)

    def relate(self, what: str, who: str, whom: str) -> None:
        two = (self.people[who].id, self.people[whom].id)
        match what:
            case "follow":
                self.world.follow(*two)
            case "unfollow":
                self.world.follows.pop(two, None)
            case "mute":
                self.world.mutes[two] = Mute(only_reposts=False, until=None)
            case "unmute":
                self.world.mutes.pop(two, None)
            case "block":
                self.world.block(*two)
            case "unblock":
                self.world.blocks.discard(two)


def play(step: tuple[str, Any], history: History) -> None:
    what, detail = step
    world, people = history.world, history.people
    if what == "write":
        _add(world, Entry(people[detail].write("something"), people[detail].id))
    elif what == "delete":
        if posts := world.posts():
            post = posts[detail % len(posts)]
            next(member for member in people.values() if member.id == post.author).delete(post.id)
            post.is_deleted = True
    elif what in ("reply", "repost"):
        who, n = people[detail[0]], detail[1]
        if posts := world.readable(who.id):
            _answer(what, who, posts[n % len(posts)], world)
    else:
        who_, whom = detail
        path = f"/@{whom}/{what.removeprefix('un')}" + ("/delete" if what.startswith("un") else "")
        assert people[who_].send(path).status_code in {303, 403, 404}
        history.relate(what, who_, whom)


def _answer(what: str, who: Member, post: Entry, world: World) -> None:
    """Reply to a post, or repost it; what was reposted already is not any more."""
    there = world.repost_by(who.id, post)
    if what == "reply":
        _add(world, Entry(who.write("something", reply_to=post.id), who.id, reply_to=post))
    elif there:
        assert who.send(f"/posts/{post.id}/repost/delete").status_code == 303
        del world.entries[there.id]
    else:
        assert who.send(f"/posts/{post.id}/repost").status_code == 303
        with who.app.app_context():
            mine = select(Post.id).where(Post.repost_of_id == post.id, Post.author_id == who.id)
            _add(world, Entry(db.session.scalars(mine).one(), who.id, repost_of=post))


def _add(world: World, entry: Entry) -> None:
    world.entries[entry.id] = entry


def test_F2_F3_every_feed_is_what_the_history_says(app: Flask, join: Callable[..., Member]) -> None:
    runs = iter(range(10_000))

    @settings(max_examples=examples(3), deadline=None, suppress_health_check=list(HealthCheck))
    @given(steps)
    def check(history_steps: list[tuple[str, Any]]) -> None:
        run = next(runs)
        people = {name: join(f"{name}_{run}") for name in PEOPLE}
        renamed = {name: f"{name}_{run}" for name in PEOPLE}
        history = History({member.handle: member for member in people.values()})
        for step in history_steps:
            play(_rename(step, renamed), history)
            for member in people.values():
                assert member.feed() == history.feed_of(member.handle)
                for probed in (0, 3, 2000):
                    assert postgres_feed(app, member, probed) == history.feed_of(member.handle)

    check()


def postgres_feed(app: Flask, member: Member, probed: int) -> list[int]:
    """Walk through a feed from Postgres alone, two entries a page, and look at so many of all posts first."""
    found: list[int] = []
    with app.app_context(), read_only(), patch.multiple(from_postgres, MANY=0, PROBED=probed):
        viewer = db.session.get_one(User, member.id)
        while older := from_postgres.ids_below(viewer, before=found[-1] if found else None, size=2):
            found += older
    return found


def _rename(step: tuple[str, Any], names: dict[str, str]) -> tuple[str, Any]:
    what, detail = step
    if what == "write":
        return what, names[detail]
    if what in ("reply", "repost"):
        return what, (names[detail[0]], detail[1])
    return step if what == "delete" else (what, (names[detail[0]], names[detail[1]]))


@pytest.mark.parametrize("probed", [2, 5, 2000])
def test_F2_a_page_is_full_though_the_newest_posts_of_all_are_hidden(
    app: Flask, alice: Member, bob: Member, carol: Member, probed: int
) -> None:
    """Posts that are not shown must not count when it is decided whether the newest of all fill the page."""
    bob.follow(carol)
    shown = [alice.write(f"shown {n}") for n in range(3)]
    for n in range(4):
        carol.write(f"hidden {n}")
    bob.mute(carol)
    assert postgres_feed(app, bob, probed) == shown[::-1]


def test_F2_nothing_below_the_highest_floor_is_merged() -> None:
    """Below it one of the windows knows nothing: what the other has there would hide what is missing between."""
    home, author = Window([9, 8], floor=8), Window([9, 5, 1], floor=0)
    assert merge([home, author], [7, 10], None) == Merged([10, 9, 8], floor=8)
