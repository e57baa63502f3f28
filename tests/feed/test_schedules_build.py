"""Schedules of the model about building, played on the engine and named after them."""

from __future__ import annotations

import time

from app.extensions import db, redis
from app.feed.timelines import build, generation
from app.feed.timelines import keys as timeline
from tests.feed import schedule
from tests.feed.schedule import (
    AFTER_CLAIM,
    AFTER_INSERT,
    AFTER_SNAPSHOT,
    AFTER_SOURCES,
    BEFORE_CLAIM,
    FLOOR,
    MARKER,
    Stage,
)

stage = schedule.stage


def test_H1_pushes_during_a_build_are_all_kept(stage: Stage) -> None:
    """A trim that counts the marker takes 2 away between two pushes, and the window has a hole."""
    reader, anna = stage.people("reader", "anna")
    stage.window(2)
    stage.follow(reader, anna)
    stage.post(anna)
    stage.work()
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    two, three = stage.post(anna), stage.post(anna)
    stage.fan_out(two)
    stage.fan_out(three)
    assert stage.home(reader) == [three, two, MARKER]
    builder.finish()
    assert stage.home(reader) == [three, two]
    stage.check_at_rest(reader)


def test_H1_a_late_push_below_what_the_build_brings_is_cut_off(stage: Stage) -> None:
    """It lands in the timeline that is being built; without a trim at the end, 1 stands under 4, 3 and hides 2."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, anna, ben)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)
    _, three, four = stage.post(ben), stage.post(ben), stage.post(ben)
    stage.work()
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    late.finish()
    stage.work()
    assert stage.home(reader) == [late.returned, MARKER]
    builder.finish()
    assert stage.home(reader) == [four, three]
    stage.check_at_rest(reader)


def test_H1b_a_timeline_is_not_trimmed_while_it_is_built(stage: Stage) -> None:
    """The marker is the last member: a push that trims takes it, and what late posts left passes for a window."""
    reader, anna, ben, cleo = stage.people("reader", "anna", "ben", "cleo")
    stage.window(2)
    stage.follow(reader, anna, ben, cleo)
    stage.post(anna)
    stage.work()
    two = stage.start(lambda: stage.post(ben), AFTER_INSERT)
    three = stage.start(lambda: stage.post(cleo), AFTER_INSERT)
    four = stage.post(anna)
    stage.work()  # while the home is cold
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    two.finish()
    three.finish()
    stage.work()
    assert stage.home(reader) == [three.returned, two.returned, MARKER]
    stage.check(reader)
    builder.finish()
    assert stage.home(reader) == [four, three.returned]
    stage.check_at_rest(reader)


def test_E1_a_builder_fills_only_what_it_claimed_itself(stage: Stage) -> None:
    """With any marker as good as its own, the first builder fills its old snapshot and 2 is lost."""
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    first = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    two = stage.post(anna)
    stage.drop(stage.home_key(reader))
    stage.fan_out(two)
    second = stage.start(lambda: stage.page(reader), AFTER_CLAIM)
    first.finish()
    assert stage.home(reader) == [MARKER]
    second.finish()
    assert stage.home(reader) == [two, one, FLOOR]
    stage.check_at_rest(reader)


def test_E2_the_marker_of_a_dead_builder_runs_out_whoever_reads(stage: Stage) -> None:
    """A marker that readers renew, or that has no end, keeps the feed on Postgres for ever."""
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    with stage.app.app_context(), redis.client() as client:
        assert build.claim(client, generation.current(), timeline.new_token(), home_of=reader, sources=[])
    key, raw = stage.home_key(reader), stage.raw()
    raw.pexpire(key, 25_000)  # less than a claim has, and enough for a busy machine
    two = stage.post(anna)
    stage.work()
    stage.check(reader)
    assert stage.home(reader) == [two, MARKER]
    assert 0 < raw.pttl(key) <= 25_000
    raw.pexpire(key, 1)
    time.sleep(0.01)
    stage.warm(reader)
    assert stage.home(reader) == [two, one, FLOOR]
    assert raw.ttl(key) > timeline.BUILD_SECONDS
    stage.check_at_rest(reader)


def test_E2_a_claim_has_an_end(stage: Stage) -> None:
    """A builder that dies must not keep the timeline cold for longer than a build may take."""
    [reader] = stage.people("reader")
    builder = stage.start(lambda: stage.page(reader), AFTER_CLAIM)
    assert 0 < stage.raw().ttl(stage.home_key(reader)) <= timeline.BUILD_SECONDS
    builder.finish()


def test_a_build_is_not_lost_when_its_connection_is_opened_under_it(stage: Stage) -> None:
    """The page starts again when a connection was opened; it must not be locked out by its own first claim."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    with redis.client() as client:
        client.connection_pool.disconnect()
    assert stage.page(reader) == ([one], None)
    assert stage.home(reader) == [one, FLOOR]


def test_K1_a_home_is_built_with_what_is_muted(stage: Stage) -> None:
    """A build that asks `visible_to` leaves out what unmuting must bring back."""
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    stage.relate("mute", reader, anna)
    stage.warm(reader)
    assert stage.home(reader) == [one, FLOOR]
    stage.check(reader)
    stage.relate("unmute", reader, anna)
    assert stage.page(reader) == ([one], None)
    stage.check_at_rest(reader)


def test_P1_a_build_sees_what_was_pushed_while_the_timeline_was_cold(stage: Stage) -> None:
    """From a lagging replica 1 would be missing, and nobody pushes it again. There is one database, the primary."""
    reader, anna = stage.people("reader", "anna")
    stage.window(3)
    stage.follow(reader, anna)
    one = stage.post(anna)
    builder = stage.start(lambda: stage.page(reader), AFTER_SOURCES)
    stage.fan_out(one)
    assert stage.home(reader) is None
    builder.finish()
    assert stage.home(reader) == [one, FLOOR]
    with stage.app.app_context():
        assert list(db.engines) == [None]
    stage.check_at_rest(reader)


def test_P1_a_build_reads_postgres_after_its_claim(stage: Stage) -> None:
    """With the snapshot before the claim, 2 is too late for the one and too early for the other."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    one = stage.post(anna)
    stage.work()
    builder = stage.start(lambda: stage.page(reader), BEFORE_CLAIM)
    two = stage.post(anna)
    stage.fan_out(two)
    assert stage.home(reader) is None
    builder.finish()
    assert stage.home(reader) == [two, one, FLOOR]
    stage.check_at_rest(reader)
