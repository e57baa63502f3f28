"""Schedules of the model about pushed and pulled authors, played on the engine and named after them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from flask import Flask
from sqlalchemy import select

from app.extensions import db
from app.feed.models import BOTH, PULL, PUSH
from app.feed.timelines import fanout
from app.feed.timelines import keys as timeline
from app.outbox import names
from app.outbox.models import OutboxRow
from app.social.models import Follow
from tests.feed import schedule
from tests.feed.schedule import (
    AFTER_CLAIM,
    AFTER_INSERT,
    AFTER_PLAN,
    AFTER_REDIS,
    AFTER_SNAPSHOT,
    FLOOR,
    MARKER,
    Stage,
    Walk,
)
from tests.redis_trips import round_trips

stage = schedule.stage


def pulled(stage: Stage, *handles: str) -> tuple[list[int], int]:
    """Return readers with empty homes, and an author they follow who is pulled and whose window is not built yet."""
    *readers, anna = stage.people(*handles, "anna")
    for reader in readers:
        stage.follow(reader, anna)
    stage.warm(*readers)
    stage.promote(anna)
    return readers, anna


def test_D1_an_author_window_is_written_in_every_mode(stage: Stage) -> None:
    """A window that is written in pull mode only is believed again at the next promotion, without 2."""
    [reader], anna = pulled(stage, "reader")
    one = stage.post(anna)
    stage.work()
    stage.page(reader)
    assert stage.author_window(anna) == [one, FLOOR]
    stage.demote(anna)
    stage.work()
    two = stage.post(anna)
    [row] = stage.rows(names.FAN_OUT_POST, two)
    job = stage.start(lambda: stage.run(row), AFTER_PLAN)
    stage.promote(anna)
    job.finish()
    stage.warm(reader)
    assert stage.author_window(anna) == [two, one, FLOOR]
    stage.check_at_rest(reader)


def test_D1_a_fan_out_whose_author_is_promoted_between_two_slices_is_merged(stage: Stage) -> None:
    """The second slice pushes nothing any more: the author's window must have had the post from the first on."""
    stage.monkeypatch.setattr(fanout, "SLICE", 1)
    readers, anna = pulled(stage, "reader", "quentin")
    stage.post(anna)
    stage.work()
    stage.warm(*readers)
    stage.demote(anna)
    stage.work()
    stage.warm(*readers)
    two = stage.post(anna)
    [row] = stage.rows(names.FAN_OUT_POST, two)
    stage.run(row)
    stage.promote(anna)
    stage.work()
    assert [two in (stage.home(reader) or []) for reader in readers] == [True, False]
    stage.check_at_rest(*readers)


def test_D2_a_process_that_merged_an_author_builds_homes_with_them(stage: Stage) -> None:
    """A process that remembers who is pulled builds without them after the demotion threw the homes away."""
    [reader], anna = pulled(stage, "reader")
    one = stage.post(anna)
    stage.work()
    stage.page(reader), stage.page(reader)
    assert stage.home(reader) == [FLOOR]
    stage.demote(anna)
    stage.work()
    assert stage.home(reader) is None
    stage.warm(reader)
    assert stage.home(reader) == [one, FLOOR]
    stage.check_at_rest(reader)


def test_D3_a_builder_from_the_time_of_pull_does_not_fill_after_the_demotion(stage: Stage) -> None:
    """Its snapshot is older than 2, which was not pushed: with any marker as good as its own, 2 is lost."""
    [reader], anna = pulled(stage, "reader")
    one = stage.post(anna)
    stage.work()
    stage.page(reader)
    stage.drop(stage.home_key(reader))
    first = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    two = stage.post(anna)
    stage.fan_out(two)
    assert stage.home(reader) == [MARKER]
    stage.demote(anna)
    stage.work()
    second = stage.start(lambda: stage.page(reader), AFTER_CLAIM)
    first.finish()
    assert stage.home(reader) == [MARKER]
    second.finish()
    assert stage.home(reader) == [two, one, FLOOR]
    stage.check_at_rest(reader)


@pytest.mark.parametrize("pages", [0, 1, 2])
def test_D4_a_walk_during_a_demotion_misses_nothing(stage: Stage, pages: int) -> None:
    """With two modes only, the author is pushed already and the old home without their posts is still there."""
    [reader], anna = pulled(stage, "reader")
    stage.post(anna), stage.post(anna)
    stage.work()
    stage.page(reader)
    assert stage.home(reader) == [FLOOR]
    stage.demote(anna)
    assert stage.mode(anna) == BOTH
    walk = Walk(stage, reader)
    for _ in range(pages):
        walk.page()
    if pages:
        stage.work()
    walk.to_the_end()
    stage.check_at_rest(reader)
    assert stage.mode(anna) == PUSH


def test_D4_in_both_modes_what_is_new_is_pushed_and_merged(stage: Stage) -> None:
    """Between the two ends of a demotion a home may be built, and must get what is written meanwhile."""
    readers, anna = pulled(stage, "reader", "quentin")
    one = stage.post(anna)
    stage.work()
    stage.monkeypatch.setattr(fanout, "SLICE", 1)
    stage.demote(anna)
    [row] = stage.rows("feed.finish_demotion", anna)
    stage.run(row)
    stage.warm(*readers)
    two = stage.post(anna)
    stage.fan_out(two)
    assert stage.home(readers[0]) == [two, one, FLOOR]
    stage.check(*readers)
    stage.check_at_rest(*readers)


def test_D5_a_window_kept_in_the_process_is_not_used_when_the_author_has_posted(stage: Stage) -> None:
    """A window that is kept for some seconds, whatever its version, shows a feed without 2 at rest."""
    [reader], anna = pulled(stage, "reader")
    one = stage.post(anna)
    stage.work()
    assert stage.page(reader) == stage.page(reader) == ([one], None)
    two = stage.post(anna)
    stage.work()
    assert stage.page(reader) == ([two, one], None)
    stage.check_at_rest(reader)


@pytest.mark.parametrize("trips", [1, 2])
def test_D5_a_window_is_kept_under_the_version_that_was_read_before_it(stage: Stage, trips: int) -> None:
    """A post between the reading of the versions and of the window, or after both: the next reader must ask again."""
    [reader], anna = pulled(stage, "reader")
    one = stage.post(anna)
    stage.work()
    stage.page(reader)
    two = stage.post(anna)
    stage.work()
    reading = stage.start(lambda: stage.page(reader), *[AFTER_REDIS] * trips)
    for _ in range(trips - 1):
        reading.go_on()
    three = stage.post(anna)
    stage.work()
    reading.finish()
    assert stage.page(reader) == ([three, two, one], None)
    stage.check_at_rest(reader)


def test_D5_the_version_changes_after_the_window_does(app: Flask) -> None:
    """The other way round, somebody reads the old window in between and keeps it under the new version."""
    with app.app_context():
        commands = list(timeline.push_sources("now", [1, "tea"], [2]))
    assert [command[0] for command in commands] == ["EVALSHA", "HSET", "EXPIRE"]


def test_D5_a_window_without_a_version_gets_one_before_it_is_read(stage: Stage) -> None:
    """The other way round, a post that comes in between is neither in the window nor seen in the version."""
    [reader], anna = pulled(stage, "reader")
    stage.post(anna)
    stage.work()
    stage.page(reader)
    stage.page(reader)
    stage.drop(stage.versions_key())
    with round_trips() as trips:
        stage.page(reader)
        stage.page(reader)
    assert trips == [["EVALSHA", "HMGET"], ["HSETNX", "EVALSHA"], ["EVALSHA", "HMGET"]]
    stage.fan_out(stage.post(anna))
    stage.check_at_rest(reader)


def test_D6_pushes_while_an_author_window_is_built_are_all_kept(stage: Stage) -> None:
    """A trim that counts the marker takes 2 out of the author's window, and everybody who merges it misses 2."""
    [reader], anna = pulled(stage, "reader")
    stage.window(2)
    stage.post(anna)
    stage.work()
    stage.page(reader)
    stage.drop(stage.author_key(anna))
    stage.fan_out(stage.post(anna))  # another version: nobody has the window any more
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT)
    stage.check(reader)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)
    late.finish()
    three = stage.post(anna)
    stage.fan_out(late.returned)
    stage.fan_out(three)
    assert stage.author_window(anna) == [three, late.returned, MARKER]
    builder.finish()
    assert stage.author_window(anna) == [three, late.returned]
    stage.check_at_rest(reader)


def test_D7_the_late_twin_of_a_demotion_does_not_end_a_later_one(stage: Stage) -> None:
    """Without a number for each change, the twin lets the author push while a home without 2 is still there."""
    [quentin, reader], anna = pulled(stage, "quentin", "reader")
    one = stage.post(anna)
    stage.work()
    stage.demote(anna)
    with stage.app.app_context():
        details = db.session.scalars(select(OutboxRow.details)).one()
        follow_id = db.session.scalars(select(Follow.id).where(Follow.follower_id == quentin)).one()
    stage.work()
    stage.warm(quentin, reader)
    stage.promote(anna)
    stage.page(quentin)
    assert stage.home(quentin) == [one, FLOOR]
    two = stage.post(anna)
    walk = Walk(stage, quentin, size=9)
    [row] = stage.rows(names.FAN_OUT_POST, two)
    job = stage.start(lambda: stage.run(row), AFTER_PLAN)
    stage.demote(anna)
    with stage.app.app_context():
        fanout.throw_away_homes(anna, change=details["change"], state={"after": follow_id})
        db.session.commit()
    assert stage.mode(anna) == BOTH
    job.finish()
    assert stage.home(quentin) == [one, FLOOR]
    walk.to_the_end()
    stage.check_at_rest(quentin, reader)
    assert stage.mode(anna) == PUSH


def test_D7_a_demotion_does_not_end_a_promotion(stage: Stage) -> None:
    """Promoted again before the demotion is done: it stays so."""
    [reader], anna = pulled(stage, "reader")
    stage.post(anna)
    stage.work()
    stage.demote(anna)
    stage.promote(anna)
    stage.work()
    assert stage.mode(anna) == PULL
    stage.check_at_rest(reader)


@pytest.mark.parametrize("seed", range(12))
def test_Z1_everything_at_once_in_some_order(stage: Stage, seed: int) -> None:
    """Promotion, demotion, two builds, a late post and an expiry: one order of theirs breaks each wrong variant."""
    [reader], anna = pulled(stage, "reader")
    stage.window(2)
    stage.post(anna)
    stage.work()
    stage.page(reader)
    stage.drop(stage.home_key(reader))
    stage.drop(stage.author_key(anna))
    builder = stage.start(lambda: stage.page(reader), AFTER_SNAPSHOT, AFTER_SNAPSHOT)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)

    def finish_demotions() -> None:
        for row in stage.rows("feed.finish_demotion", anna):
            stage.run(row)

    def fan_out() -> None:
        if late.has_ended:
            stage.fan_out(late.returned)

    steps: list[Callable[[], object]] = [
        lambda: stage.demote(anna),
        finish_demotions,
        late.finish,
        fan_out,
        lambda: stage.promote(anna),
        lambda: stage.drop(stage.home_key(reader)),
        builder.finish,
        lambda: stage.page(reader),
    ]
    for step in Random(seed).sample(steps, len(steps)):
        step()
    stage.check_at_rest(reader)
