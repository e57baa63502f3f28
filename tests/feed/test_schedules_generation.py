"""Schedules of the model about Redis and Postgres that come back with old data, named after them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import delete, insert, select, update

from app.extensions import db, redis
from app.feed.models import FeedState
from app.feed.timelines import generation
from app.social.models import Follow
from tests.feed import schedule
from tests.feed.schedule import (
    AFTER_CLAIM,
    AFTER_PLAN,
    AFTER_SNAPSHOT,
    AFTER_SOURCES,
    BEFORE_REDIS,
    FLOOR,
    MARKER,
    Place,
    Stage,
    Walk,
)
from tests.people import Member

stage = schedule.stage


def with_one_post(stage: Stage) -> tuple[int, int, int]:
    """Return a reader with a warm home, whom they follow, and the one post of theirs."""
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    stage.warm(reader)
    return reader, anna, one


def now(stage: Stage) -> str:
    with stage.app.app_context():
        return generation.current()


def test_F_1_a_worker_asks_for_the_generation_in_every_job(stage: Stage) -> None:
    """A worker that knows the generation from its process pushes where nobody reads any more."""
    reader, anna, one = with_one_post(stage)
    stage.reset()
    stage.warm(reader)
    two = stage.post(anna)
    stage.work()
    assert stage.home(reader) == [two, one, FLOOR]
    stage.check_at_rest(reader)


@pytest.mark.parametrize("place", [AFTER_PLAN, BEFORE_REDIS], ids=["plan", "push"])
def test_F_1_a_reset_in_the_middle_of_a_job_loses_nothing(stage: Stage, place: Place) -> None:
    """Pushed under the old generation or the new one: the home that is built in between has the post."""
    reader, anna, one = with_one_post(stage)
    two = stage.post(anna)
    [row] = stage.rows("feed.fan_out_post", two)
    job = stage.start(lambda: stage.run(row), place)
    stage.reset()
    stage.warm(reader)
    job.finish()
    assert stage.home(reader) == [two, one, FLOOR]
    stage.check_at_rest(reader)


def test_F_2_redis_restarted_from_an_old_snapshot_is_not_believed(stage: Stage) -> None:
    """With the run id looked at some time, the feed is the old one until then."""
    reader, anna, one = with_one_post(stage)
    saved = stage.save()
    two = stage.post(anna)
    stage.work()
    stage.check(reader)
    before = now(stage)
    stage.restart_redis(saved)
    assert stage.page(reader) == ([two, one], None)
    assert now(stage) != before
    stage.check_at_rest(reader)


def test_F_2_the_first_command_after_a_restart_may_be_a_push(stage: Stage) -> None:
    """Whoever comes first looks at the run id: a worker that does not would push into the old timeline."""
    reader, anna, one = with_one_post(stage)
    saved = stage.save()
    two = stage.post(anna)
    stage.work()
    three = stage.post(anna)
    stage.restart_redis(saved)
    stage.work()
    assert stage.page(reader) == ([three, two, one], None)
    stage.check_at_rest(reader)


def test_F_2_the_same_redis_keeps_its_timelines(stage: Stage) -> None:
    """A generation for every new connection would be safe, and never warm."""
    reader, _, _ = with_one_post(stage)
    before = now(stage)
    with stage.app.app_context(), stage.another_process().client() as client:
        client.ping()
    assert now(stage) == before
    stage.check_at_rest(reader)


@pytest.mark.parametrize("order", ["post restart", "restart post"])
@pytest.mark.parametrize("place", [AFTER_CLAIM, AFTER_SNAPSHOT], ids=["claimed", "snapshot"])
def test_F_3_a_restart_under_a_build_and_a_post(stage: Stage, place: Place, order: str) -> None:
    """The claim was in the snapshot and 2 was not: a builder that goes on would finish a timeline without 2."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    builder = stage.start(lambda: stage.page(reader), place)
    assert stage.home(reader) == [MARKER]
    saved = stage.save()
    steps = {"post": lambda: stage.fan_out(stage.post(anna)), "restart": lambda: stage.restart_redis(saved)}
    for name in order.split():
        steps[name]()
    builder.finish()
    stage.check(reader)
    assert len(stage.oracle(reader)) == 2 and one in stage.oracle(reader)
    stage.check_at_rest(reader)


def test_F_4_a_reader_whose_connection_is_opened_anew_starts_again(stage: Stage) -> None:
    """A client that resends by itself asks the restarted Redis for the old generation, and 2 is missing."""
    reader, anna, _ = with_one_post(stage)
    saved = stage.save()
    stage.post(anna)
    stage.work()
    walk = Walk(stage, reader)
    reading = stage.start(walk.page, AFTER_SOURCES)
    stage.restart_redis(saved)
    with stage.app.app_context(), stage.another_process().client() as client:
        client.ping()
    reading.finish()
    walk.to_the_end()
    stage.check_at_rest(reader)


def test_F_4_a_connection_that_another_thread_opened_counts_too(stage: Stage) -> None:
    """The thread that opens it draws the new generation after others may have read the old one."""
    reader, anna, _ = with_one_post(stage)
    saved = stage.save()
    stage.post(anna)
    stage.work()
    stage.restart_redis(saved)
    walk = Walk(stage, reader)
    opening = stage.start(lambda: _ping(stage), Place(generation, "_fresh"))
    reading = stage.start(walk.page, AFTER_SOURCES)
    opening.finish()
    reading.finish()
    walk.to_the_end()
    stage.check_at_rest(reader)


def _ping(stage: Stage) -> None:
    with stage.app.app_context(), redis.client() as client:
        client.ping()


def test_F_5_a_restored_postgres_does_not_bring_back_a_generation_that_redis_knows(stage: Stage) -> None:
    """With a counter, the number after the reset is the one under which the home was built without 1."""
    reader, _, one = with_one_post(stage)
    with stage.app.app_context():
        follows = [dict(row._mapping) for row in db.session.execute(select(Follow.__table__))]
        old = generation.current()
    stage.reset()
    [anna] = [row["followed_id"] for row in follows]
    stage.relate("unfollow", reader, anna)
    stage.warm(reader)
    assert stage.home(reader) == [FLOOR]
    with stage.app.app_context():
        db.session.execute(delete(Follow))
        db.session.execute(insert(Follow), follows)
        db.session.execute(update(FeedState).values(generation=old))
        db.session.commit()
    stage.reset()
    assert stage.home(reader) is None
    assert stage.page(reader) == ([one], None)
    stage.check_at_rest(reader)


def test_F1_everything_in_redis_may_vanish_at_any_moment(stage: Stage) -> None:
    """Wiped before, during and after a build."""
    reader, anna, one = with_one_post(stage)
    stage.raw().flushall()
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    two = stage.post(anna)
    stage.raw().flushall()
    stage.work()
    builder.finish()
    assert stage.home(reader) is None
    assert stage.page(reader) == ([two, one], None)
    stage.check_at_rest(reader)


@contextmanager
def refusing(stage: Stage, how: str) -> Iterator[None]:
    """Let Redis answer, but refuse to write: it has become a replica, or its memory is full."""
    raw = stage.raw()
    if how == "replica":
        raw.slaveof("127.0.0.1", 1)
    else:
        raw.config_set("maxmemory", "1")
    try:
        yield
    finally:
        raw.slaveof()
        raw.config_set("maxmemory", "256mb")


@pytest.mark.parametrize("how", ["replica", "memory"])
def test_F10_a_redis_that_refuses_to_write_is_as_good_as_none(stage: Stage, how: str) -> None:
    """After a failover it is read-only, and its memory may be full of jobs: pages and posting go on."""
    reader, anna, one = with_one_post(stage)
    stage.drop(stage.home_key(reader))
    with refusing(stage, how):
        assert Member(stage.app, reader, "reader").feed() == [one]
        two = Member(stage.app, anna, "anna").write("Redis refuses")
        assert Member(stage.app, reader, "reader").feed() == [two, one]
    stage.reconnect()
    stage.work()
    stage.check_at_rest(reader)
