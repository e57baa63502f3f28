"""Schedules of the model about late pushes, trims and floors, played on the engine and named after them."""

from __future__ import annotations

import pytest

from app.feed.timelines import keys as timeline
from tests.feed import schedule
from tests.feed.schedule import AFTER_INSERT, FLOOR, Stage

stage = schedule.stage


def test_A1_a_lower_id_that_commits_after_a_higher_one_finds_its_place(stage: Stage) -> None:
    """Whoever trusts the order of arrival puts the late post on top, or loses it."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, anna, ben)
    one, two = stage.post(anna), stage.post(ben)
    stage.work()
    stage.warm(reader)
    assert stage.home(reader) == [two, one]
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)
    four = stage.post(ben)
    stage.fan_out(four)
    assert late.finish() < four
    stage.check(reader)
    stage.fan_out(late.returned)
    assert stage.home(reader) == [four, late.returned]
    stage.check_at_rest(reader)


def test_A1_a_late_post_below_a_window_at_its_cap_stays_below(stage: Stage) -> None:
    """A push without regard to the window's end leaves a member that nothing stands behind."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, anna, ben)
    stage.post(anna), stage.post(ben)
    stage.work()
    stage.warm(reader)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)
    four, five = stage.post(ben), stage.post(ben)
    stage.fan_out(four)
    stage.fan_out(five)
    late.finish()
    stage.fan_out(late.returned)
    assert stage.home(reader) == [five, four]
    stage.check_at_rest(reader)


def test_B1_late_push_does_not_land_below_the_oldest_of_a_floorless_window(stage: Stage) -> None:
    """FEED_WINDOW was raised: 1 lands under 4, 3 and hides that 2 is not there."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, anna, ben)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)
    _, three, four = stage.post(ben), stage.post(ben), stage.post(ben)
    stage.work()
    stage.warm(reader)
    assert stage.home(reader) == [four, three]
    stage.window(4)
    late.finish()
    stage.work()
    assert stage.home(reader) == [four, three]
    stage.check_at_rest(reader)


def test_B2_backfill_does_not_land_below_the_oldest_of_a_floorless_window(stage: Stage) -> None:
    """FEED_WINDOW was raised: the followed account's 1 lands under 4, 3 and hides that 2 is not there."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, ben)
    stage.post(anna)
    _, three, four = stage.post(ben), stage.post(ben), stage.post(ben)
    stage.work()
    stage.warm(reader)
    stage.window(4)
    stage.follow(reader, anna)
    assert stage.home(reader) == [four, three]
    stage.check_at_rest(reader)


def test_B2_a_backfill_that_is_cut_leaves_no_hole_above_the_oldest(stage: Stage) -> None:
    """FEED_WINDOW was raised: the newest 20 of 22 go in, between them and the old members two are missing."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.window(2)
    stage.follow(reader, ben)
    one, two = stage.post(ben), stage.post(ben)
    [stage.post(anna) for _ in range(22)]
    stage.work()
    stage.warm(reader)
    assert stage.home(reader) == [two, one]
    stage.window(20)
    stage.follow(reader, anna)
    stage.check_at_rest(reader)


@pytest.mark.parametrize("window", [2, 20])
def test_H2_a_backfill_that_is_cut_takes_the_floor_away(stage: Stage, window: int) -> None:
    """An empty feed plus the newest of an author is not the whole feed: the floor would say that nothing is below.

    A window may grow a tenth over its cap before it is trimmed: with 20 there is room for the floor.
    """
    reader, anna = stage.people("reader", "anna")
    stage.window(window)
    stage.warm(reader)
    assert stage.home(reader) == [FLOOR]
    ids = [stage.post(anna) for _ in range(window + 1)]
    stage.work()
    stage.follow(reader, anna)
    assert stage.home(reader) == list(reversed(ids[1:]))
    stage.check_at_rest(reader)


def test_H2_a_backfill_of_all_there_is_keeps_the_floor(stage: Stage) -> None:
    """The floor goes only where something may be below it."""
    reader, anna = stage.people("reader", "anna")
    stage.window(20)
    stage.warm(reader)
    ids = [stage.post(anna) for _ in range(19)]
    stage.work()
    stage.follow(reader, anna)
    assert stage.home(reader) == [*reversed(ids), FLOOR]
    stage.check_at_rest(reader)


def test_a_window_is_trimmed_when_it_is_a_tenth_over_its_cap(stage: Stage) -> None:
    """What is above the cap is as complete as what is below it; the floor goes first."""
    reader, anna = stage.people("reader", "anna")
    stage.window(10)
    stage.follow(reader, anna)
    stage.warm(reader)
    for number in range(1, 14):
        stage.post(anna)
        stage.work()
        held = stage.home(reader)
        assert held is not None and len(held) <= 11
        assert (FLOOR in held) == (number <= 10)
        if number >= 9:
            stage.check(reader)


def test_only_reading_renews_a_timeline(stage: Stage) -> None:
    """Whoever does not come for a week costs nothing any more, however much is pushed to them."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    stage.warm(reader)
    key, raw = stage.home_key(reader), stage.raw()
    raw.expire(key, 100)
    stage.fan_out(stage.post(anna))
    assert 0 < raw.ttl(key) <= 100
    stage.page(reader)
    assert raw.ttl(key) > timeline.KEPT_SECONDS - 100
