"""Schedules of the model about following, played on the engine and named after them."""

from __future__ import annotations

from concurrent.futures import wait
from itertools import permutations

import pytest
from sqlalchemy import func, update

from app.extensions import db
from app.feed.models import PULL, PUSH
from app.posts.models import Post
from tests.feed import schedule
from tests.feed.schedule import AFTER_FOLLOW, AFTER_SNAPSHOT, BEFORE_FOLLOW, BEFORE_REDIS, FLOOR, Place, Stage
from tests.people import Member

stage = schedule.stage

ORDERS = list(permutations(["backfill", "post", "drop", "fill"]))


def test_C1_a_post_between_a_follow_and_its_commit_is_in_the_feed(stage: Stage) -> None:
    """With the backfill before the commit, a post in between is in neither the backfill nor the fan-out."""
    reader, anna = stage.people("reader", "anna")
    stage.warm(reader)
    following = stage.start(lambda: Member(stage.app, reader, "reader").send("/@anna/follow"), BEFORE_FOLLOW)
    one = stage.post(anna)
    stage.fan_out(one)
    assert stage.home(reader) == [FLOOR]
    assert following.finish().status_code == 303
    assert stage.home(reader) == [one, FLOOR]
    stage.check_at_rest(reader)


def test_C1_a_fan_out_that_does_not_see_the_follow_yet_leaves_it_to_the_backfill(stage: Stage) -> None:
    """The same with the follow written and not committed: the fan-out finds no follower and is done."""
    reader, anna = stage.people("reader", "anna")
    stage.warm(reader)
    one = stage.post(anna)
    following = stage.start(lambda: Member(stage.app, reader, "reader").send("/@anna/follow"), AFTER_FOLLOW)
    stage.fan_out(one)
    two = stage.background(lambda: stage.post(anna))
    wait([two], timeout=0.3)  # counters make it wait for the follow; should they not, no follower is found again
    if two.done():
        stage.fan_out(two.result())
    following.finish()
    stage.fan_out(two.result())
    assert stage.home(reader) == [two.result(), one, FLOOR]
    stage.check_at_rest(reader)


def play(stage: Stage, reader: int, author: int, order: tuple[str, ...], *, unfollow: bool) -> None:
    """Follow with everything that can go on beside it, in one of the orders; the home is being built meanwhile."""
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    if unfollow:
        stage.relate("unfollow", reader, author)
        stage.fan_out(stage.post(author))
    stage.relate("follow", reader, author)
    [row] = stage.rows("feed.backfill_follow", author)
    backfill = stage.start(lambda: stage.run(row), BEFORE_REDIS)
    steps = {
        "backfill": backfill.finish,
        "post": lambda: stage.fan_out(stage.post(author)),
        "drop": lambda: stage.drop(stage.home_key(reader)),
        "fill": builder.finish,
    }
    for name in order:
        steps[name]()
    stage.check_at_rest(reader)


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_C2_a_backfill_races_with_push_build_and_expiry(stage: Stage, order: tuple[str, ...]) -> None:
    """A backfill that is lost in one of the orders leaves a feed without what was written before the follow."""
    reader, anna = stage.people("reader", "anna")
    stage.window(2)
    stage.post(anna), stage.post(anna), stage.post(anna)
    stage.work()
    play(stage, reader, anna, order, unfollow=False)


def test_C2_an_unfollow_before_the_backfill_is_done_holds(stage: Stage) -> None:
    """The backfill writes what is not followed any more: the read filters it, and following again finds it all."""
    reader, anna = stage.people("reader", "anna")
    one = stage.post(anna)
    stage.work()
    stage.warm(reader)
    stage.relate("follow", reader, anna)
    [row] = stage.rows("feed.backfill_follow", anna)
    backfill = stage.start(lambda: stage.run(row), BEFORE_REDIS)
    stage.relate("unfollow", reader, anna)
    backfill.finish()
    assert stage.home(reader) == [one, FLOOR]
    assert stage.page(reader) == ([], None)
    stage.check_at_rest(reader)
    stage.post(anna)
    stage.work()
    stage.follow(reader, anna)
    stage.check_at_rest(reader)


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_C3_following_again_races_with_push_build_and_expiry(stage: Stage, order: tuple[str, ...]) -> None:
    """What was written while the reader did not follow was not pushed: only the backfill brings it."""
    reader, anna = stage.people("reader", "anna")
    stage.window(2)
    stage.follow(reader, anna)
    stage.post(anna)
    stage.work()
    play(stage, reader, anna, order, unfollow=True)


@pytest.mark.parametrize("place", [BEFORE_FOLLOW, AFTER_FOLLOW], ids=["before", "after"])
def test_C4_a_demotion_that_does_not_see_the_new_follower_misses_nothing(stage: Stage, place: Place) -> None:
    """Without a backfill for pulled authors, a follow that began in their time gets nothing of the past."""
    reader, anna = stage.people("reader", "anna")
    stage.promote(anna)
    one = stage.post(anna)
    stage.work()
    stage.warm(reader)
    following = stage.start(lambda: Member(stage.app, reader, "reader").send("/@anna/follow"), place)
    assert stage.mode(anna) == PULL
    stage.demote(anna)
    stage.work()
    assert stage.mode(anna) == PUSH
    assert stage.home(reader) == [FLOOR]
    following.finish()
    assert stage.home(reader) == [one, FLOOR]
    stage.check_at_rest(reader)


def test_K2_a_post_that_is_hidden_when_its_fan_out_runs_is_pushed_all_the_same(stage: Stage) -> None:
    """A fan-out that skips what cannot be seen now leaves out what can be seen again later."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    stage.warm(reader)
    one = stage.post(anna)
    _set(stage, one, deleted_at=func.now(), text="")
    stage.work()
    stage.check(reader)
    _set(stage, one, deleted_at=None, text="here again")
    assert stage.home(reader) == [one, FLOOR]
    stage.check_at_rest(reader)


@pytest.mark.parametrize("what", ["mute", "block"])
def test_K2_a_post_of_somebody_who_is_hidden_from_the_reader_comes_back_with_them(stage: Stage, what: str) -> None:
    """The same for people: muted or blocked while the fan-out runs, and not afterwards."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    stage.warm(reader)
    stage.relate(what, reader, anna)
    one = stage.post(anna)
    stage.work()
    assert stage.page(reader) == ([], None)
    stage.relate(f"un{what}", reader, anna)
    stage.follow(reader, anna)
    assert stage.page(reader) == ([one], None)
    stage.check_at_rest(reader)


def _set(stage: Stage, post_id: int, **values: object) -> None:
    with stage.app.app_context():
        db.session.execute(update(Post).where(Post.id == post_id).values(**values))
        db.session.commit()
