"""Random histories: after every step each reader's feed is what a naive reading of the history says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.accounts.models import User
from app.extensions import db
from app.feed import from_postgres, queries
from app.feed.timeline import Window
from tests.people import Member

PEOPLE = ("ann", "ben", "cat")
pairs = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)).filter(lambda pair: pair[0] != pair[1])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(PEOPLE)),
        st.tuples(st.just("delete"), st.integers(0, 20)),
        st.tuples(st.sampled_from(["follow", "unfollow", "mute", "unmute", "block", "unblock"]), pairs),
    ),
    min_size=5,
    max_size=20,
)


class History:
    """What happened, kept in plain sets; the feed by its definition."""

    def __init__(self) -> None:
        self.posts: list[tuple[int, str]] = []
        self.follows: set[tuple[str, str]] = set()
        self.mutes: set[tuple[str, str]] = set()
        self.blocks: set[tuple[str, str]] = set()

    def feed_of(self, reader: str) -> list[int]:
        return [post for post, author in reversed(self.posts) if self._sees(reader, author)]

    def _sees(self, reader: str, author: str) -> bool:
        if reader == author:
            return True
        blocked = {(reader, author), (author, reader)} & self.blocks
        return (reader, author) in self.follows and not blocked and (reader, author) not in self.mutes

    def relate(self, what: str, who: str, whom: str) -> None:
        table = {"follow": self.follows, "mute": self.mutes, "block": self.blocks}[what.removeprefix("un")]
        if what.startswith("un"):
            table.discard((who, whom))
        elif what != "follow" or not {(who, whom), (whom, who)} & self.blocks:
            table.add((who, whom))
        if what == "block":
            self.follows -= {(who, whom), (whom, who)}


def play(step: tuple[str, Any], people: dict[str, Member], history: History) -> None:
    what, detail = step
    if what == "write":
        history.posts.append((people[detail].write("something"), detail))
    elif what == "delete":
        if history.posts:
            post, author = history.posts.pop(detail % len(history.posts))
            people[author].delete(post)
    else:
        who, whom = detail
        path = f"/@{whom}/{what.removeprefix('un')}" + ("/delete" if what.startswith("un") else "")
        assert people[who].send(path).status_code in {303, 403, 404}
        history.relate(what, who, whom)


def test_F2_F3_every_feed_is_what_the_history_says(app: Flask, join: Callable[..., Member]) -> None:
    runs = iter(range(10_000))

    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    @given(steps)
    def check(history_steps: list[tuple[str, Any]]) -> None:
        run = next(runs)
        people = {name: join(f"{name}_{run}") for name in PEOPLE}
        renamed = {name: f"{name}_{run}" for name in PEOPLE}
        history = History()
        for step in history_steps:
            play(_rename(step, renamed), {member.handle: member for member in people.values()}, history)
            for member in people.values():
                assert member.feed() == history.feed_of(member.handle)
                for probed in (0, 3, 2000):
                    assert postgres_feed(app, member, probed) == history.feed_of(member.handle)

    check()


def postgres_feed(app: Flask, member: Member, probed: int) -> list[int]:
    """Walk through a feed from Postgres alone, two entries a page, and look at so many of all posts first."""
    found: list[int] = []
    with app.app_context(), patch.multiple(from_postgres, MANY=0, PROBED=probed):
        viewer = db.session.get_one(User, member.id)
        while cards := from_postgres.cards(viewer, found[-1] if found else None, 2):
            found += [card.id for card in cards]
    return found


def _rename(step: tuple[str, Any], names: dict[str, str]) -> tuple[str, Any]:
    what, detail = step
    if what == "write":
        return what, names[detail]
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
    assert queries.merge([home, author], [7, 10], None) == queries.Merged([10, 9, 8], floor=8)
