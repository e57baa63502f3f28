"""Authors whom it would cost too much to push are merged at read, and nobody can tell from the pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import UserCounters
from app.extensions import db, redis
from app.feed.models import AuthorMode
from app.feed.timelines import generation, modes, transport
from app.feed.timelines import keys as timeline
from tests.outbox import drain
from tests.people import Member
from tests.redis_trips import round_trips


@pytest.fixture
def celebrities(app: Flask) -> Iterator[Callable[[int], None]]:
    """Set the number of followers above which an author is pulled."""

    def set_limit(limit: int) -> None:
        app.config["CELEBRITY_FOLLOWERS"] = limit

    yield set_limit
    app.config["CELEBRITY_FOLLOWERS"] = 0


def mode_of(app: Flask, member: Member) -> str:
    with app.app_context():
        return db.session.scalar(select(AuthorMode.mode).where(AuthorMode.user_id == member.id)) or "push"


def have_followers(app: Flask, member: Member, followers: int) -> None:
    with app.app_context():
        db.session.get_one(UserCounters, member.id).followers = followers
        db.session.commit()


def change(app: Flask, call: Callable[[], None]) -> None:
    with app.app_context():
        call()
        db.session.commit()


def home_members(app: Flask, member: Member) -> list[int]:
    with app.app_context(), redis.client() as client:
        [members] = transport.send(client, [timeline.read_whole_home(generation.current(), member.id)])
        return [int(each) for each in members]


def test_CELEBRITY_FOLLOWERS_decides_alone_with_room_between_up_and_down(
    app: Flask, alice: Member, celebrities: Callable[[int], None]
) -> None:
    celebrities(100)
    for followers, mode in ((99, "push"), (100, "pull"), (80, "pull"), (59, "both")):
        have_followers(app, alice, followers)
        change(app, modes.recompute)
        assert mode_of(app, alice) == mode, followers
    drain(app)
    assert mode_of(app, alice) == "push"


def test_otherwise_cost_decides_followers_times_posts_a_day(app: Flask, alice: Member, carol: Member) -> None:
    app.config["PULL_COST"] = 1000
    try:
        for member in (alice, carol):
            have_followers(app, member, 1000)
        for n in range(7):
            alice.write(f"once a day {n}")
        change(app, modes.recompute)
        assert (mode_of(app, alice), mode_of(app, carol)) == ("pull", "push")
    finally:
        app.config["PULL_COST"] = 1_000_000


def test_at_most_64_are_pulled_those_who_cost_most(
    app: Flask, join: Callable[..., Member], celebrities: Callable[[int], None]
) -> None:
    celebrities(10)
    people = [join(f"star{n}") for n in range(66)]
    for n, member in enumerate(people):
        have_followers(app, member, 100 + n)
    change(app, modes.recompute)
    assert [mode_of(app, member) for member in people] == ["push"] * 2 + ["pull"] * 64


def test_a_follow_that_makes_an_author_too_big_promotes_them(
    app: Flask, alice: Member, bob: Member, carol: Member, celebrities: Callable[[int], None]
) -> None:
    celebrities(2)
    carol.follow(alice)
    assert mode_of(app, alice) == "pull"


def test_a_pulled_post_is_not_pushed_but_read(app: Flask, alice: Member, bob: Member) -> None:
    before = alice.write("pushed")
    drain(app)
    assert bob.feed() == [before]
    change(app, lambda: modes.promote(alice.id))
    after = alice.write("pulled")
    drain(app)
    assert home_members(app, bob) == [before, 0]
    assert bob.feed() == [after, before]
    assert bob.feed() == [after, before], "also when the author's window is warm"


def test_F3_holds_for_pulled_authors(app: Flask, alice: Member, bob: Member) -> None:
    change(app, lambda: modes.promote(alice.id))
    posts = [alice.write("one"), alice.write("two")]
    drain(app)
    assert bob.feed() == bob.feed() == list(reversed(posts))
    alice.delete(posts[0])
    assert bob.feed() == [posts[1]]
    bob.mute(alice)
    assert bob.feed() == []
    bob.unmute(alice)
    assert bob.feed() == [posts[1]]
    bob.unfollow(alice)
    assert bob.feed() == []


def test_a_demotion_throws_homes_away_and_loses_nothing(app: Flask, alice: Member, bob: Member) -> None:
    change(app, lambda: modes.promote(alice.id))
    posts = [alice.write(f"post {n}") for n in range(3)]
    drain(app)
    bob.feed()
    change(app, lambda: modes.demote(alice.id))
    assert mode_of(app, alice) == "both"
    posts.append(alice.write("in between"))
    assert bob.feed() == list(reversed(posts))
    drain(app)
    assert mode_of(app, alice) == "push"
    posts.append(alice.write("after"))
    drain(app)
    assert bob.feed() == bob.feed() == list(reversed(posts))


def test_F9_many_pulled_authors_take_one_round_trip(app: Flask, join: Callable[..., Member], bob: Member) -> None:
    for n in range(40):
        author = join(f"star{n}")
        bob.follow(author)
        author.write(f"post {n}")
        change(app, partial(modes.promote, author.id))
    drain(app)
    assert len(bob.feed()) == 40
    bob.feed()
    with round_trips() as trips:
        assert len(bob.feed()) == 40
    assert trips == [["EVALSHA", "HMGET"]] * 2, "one for each page"


def test_a_hot_window_is_used_only_while_its_version_holds(app: Flask, alice: Member, bob: Member) -> None:
    change(app, lambda: modes.promote(alice.id))
    first = alice.write("first")
    drain(app)
    assert bob.feed() == bob.feed() == [first], "now it is hot"
    second = alice.write("second")
    drain(app)
    assert bob.feed() == [second, first]
