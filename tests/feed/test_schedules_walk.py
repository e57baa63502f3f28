"""Schedules of the model about reading and walking, played on the engine and named after them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.feed.home import filtering, from_postgres, sources
from app.feed.home import page as home
from tests.feed import schedule
from tests.feed.schedule import AFTER_INSERT, AFTER_REDIS, AFTER_SOURCES, FLOOR, Place, Stage, Walk

stage = schedule.stage

PLACES = pytest.mark.parametrize("place", [None, AFTER_SOURCES, AFTER_REDIS], ids=["between", "sources", "redis"])
PAGES = pytest.mark.parametrize("pages", [0, 1, 2, 3])


def test_I1_a_slice_that_is_cut_ends_at_its_last_id(stage: Stage) -> None:
    """A merge that trusts a slice below its end shows 1 after 3, and 2 is missing."""
    stage.monkeypatch.setattr(home, "FIRST_MEMBERS", 1)
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.follow(reader, anna, ben)
    stage.warm(reader)
    stage.promote(anna)
    one, two, three, four = stage.post(anna), stage.post(ben), stage.post(anna), stage.post(ben)
    stage.work()
    stage.page(reader)
    assert stage.author_window(anna) == [three, one, FLOOR]
    assert stage.home(reader) == [four, two, FLOOR], "of which four is the slice: below it three waits for two"
    assert stage.page(reader) == ([four, three, two, one], None)
    stage.check_at_rest(reader)


def test_I1_candidates_that_are_cut_end_at_their_last_id(stage: Stage) -> None:
    """Somebody muted is on top: the few candidates are all hidden, and what is below them is still there."""
    stage.monkeypatch.setattr(home, "MAX_CANDIDATES", 2)
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.follow(reader, anna, ben)
    one, *_ = stage.post(anna), stage.post(ben), stage.post(ben), stage.post(ben)
    stage.work()
    stage.relate("mute", reader, ben)
    stage.warm(reader)
    assert stage.page(reader) == ([one], None)
    stage.relate("unmute", reader, ben)
    stage.check_at_rest(reader)


def test_I1_the_highest_floor_counts(stage: Stage) -> None:
    """The author's window ends above the home's: below it the author's older posts come from Postgres."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.follow(reader, anna, ben)
    stage.warm(reader)
    stage.promote(anna)
    stage.window(2)
    ids = [stage.post(author) for author in (ben, anna, anna, anna)]
    stage.work()
    stage.page(reader)
    assert stage.author_window(anna) == [ids[3], ids[2]]
    assert stage.home(reader) == [ids[0], FLOOR]
    stage.check_at_rest(reader)


def walk_with(stage: Stage, reader: int, pages: int, place: Place | None, event: Callable[[], object]) -> None:
    """Walk, and let something happen after some pages or in the middle of the next one."""
    walk = Walk(stage, reader)
    for _ in range(pages):
        walk.page()
    if place is None:
        event()
    else:
        reading = stage.start(walk.page, place)
        event()
        reading.finish()
    walk.to_the_end()
    stage.check_at_rest(reader)


def with_four_posts(stage: Stage) -> tuple[int, int, list[int]]:
    """Return a reader with a warm home without floor, whom they follow, and the posts, oldest first."""
    reader, anna = stage.people("reader", "anna")
    stage.window(2)
    stage.follow(reader, anna)
    ids = [stage.post(anna) for _ in range(4)]
    stage.work()
    stage.warm(reader)
    assert stage.home(reader) == [ids[3], ids[2]]
    return reader, anna, ids


@PAGES
@PLACES
def test_I2_the_floor_moves_up_under_a_walk(stage: Stage, pages: int, place: Place | None) -> None:
    """Posts arrive, the window is trimmed, and what was in it comes from Postgres now: no gap, no repeat."""
    reader, anna, _ = with_four_posts(stage)
    late = stage.start(lambda: stage.post(anna), AFTER_INSERT)

    def arrive() -> None:
        late.finish()
        stage.fan_out(stage.post(anna))
        stage.fan_out(late.returned)

    walk_with(stage, reader, pages, place, arrive)


@PAGES
@PLACES
@pytest.mark.parametrize("rebuilt", [False, True], ids=["dropped", "rebuilt"])
def test_I3_the_home_is_dropped_and_rebuilt_under_a_walk(
    stage: Stage, pages: int, place: Place | None, rebuilt: bool
) -> None:
    """A page that takes a cold or half-built home for an empty one ends the walk too early."""
    reader, anna, _ = with_four_posts(stage)

    def expire() -> None:
        stage.drop(stage.home_key(reader))
        stage.fan_out(stage.post(anna))
        if rebuilt:
            stage.warm(reader)

    walk_with(stage, reader, pages, place, expire)


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_O1_a_fan_out_that_ends_while_a_page_is_read_is_not_missed(stage: Stage, mode: str) -> None:
    """With the open work read after Redis, the post is in Redis too late and in the outbox no more."""
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    stage.warm(reader)
    if mode == "pull":
        stage.promote(anna)
        stage.page(reader)
    one = stage.post(anna)
    walk = Walk(stage, reader)
    places = [AFTER_REDIS] * (2 if mode == "pull" else 1)
    reading = stage.start(walk.page, *places)
    while len(places) > 1:
        reading.go_on()
        places.pop()
    stage.fan_out(one)
    reading.finish()
    assert walk.seen == [one]
    walk.to_the_end()
    stage.check_at_rest(reader)


def test_O2_a_feed_is_complete_while_no_worker_runs(stage: Stage) -> None:
    """Without the open work a post is not in the feed, its author's own included, until a worker comes by."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.follow(reader, anna)
    stage.follow(anna, reader)
    stage.warm(reader, anna)
    one, two = stage.post(anna), stage.post(reader)
    stage.post(ben)
    for person in (reader, anna):
        assert stage.home(person) == [FLOOR]
        walk = Walk(stage, person)
        walk.to_the_end()
        assert walk.seen == [two, one]
        stage.check(person)
    stage.check_at_rest(reader, anna, ben)


def test_O2_too_much_open_work_is_read_from_postgres(stage: Stage) -> None:
    """Only some of the open rows are looked at: if there are more, the feed would have holes."""
    stage.monkeypatch.setattr(sources, "MAX_OPEN_ROWS", 2)
    reader, anna = stage.people("reader", "anna")
    stage.follow(reader, anna)
    stage.warm(reader)
    for _ in range(4):
        stage.post(anna)
        stage.check(reader)
    assert stage.home(reader) == [FLOOR]
    stage.check_at_rest(reader)


def test_O2_an_open_follow_is_read_from_postgres(stage: Stage) -> None:
    """The home does not have the new author's posts yet, and their fan-outs are done long since."""
    reader, anna = stage.people("reader", "anna")
    one = stage.post(anna)
    stage.work()
    stage.warm(reader)
    stage.relate("follow", reader, anna)
    assert stage.home(reader) == [FLOOR]
    assert stage.page(reader) == ([one], None)
    stage.check(reader)
    stage.check_at_rest(reader)


def hidden_in_between(stage: Stage) -> tuple[int, int, list[int]]:
    """Return a reader, one of two whom they follow, and the other's posts, which are older and newer than theirs."""
    reader, anna, ben = stage.people("reader", "anna", "ben")
    stage.follow(reader, anna, ben)
    kept = [stage.post(ben) for _ in range(2)]
    for _ in range(3):
        stage.post(anna)
    kept += [stage.post(ben) for _ in range(2)]
    stage.work()
    return reader, anna, kept[::-1]


@pytest.mark.parametrize("event", ["unfollow", "mute", "block"])
def test_F4_what_is_hidden_after_postgres_found_it_does_not_end_the_feed(stage: Stage, event: str) -> None:
    """A page from Postgres whose entries are hidden before they are decided once more is short, and is not the last."""
    reader, anna, kept = hidden_in_between(stage)
    walk = Walk(stage, reader, size=2)
    walk.page()
    stage.drop(stage.home_key(reader))
    reading = stage.start(walk.page, Place(from_postgres, "ids_below", after=True))
    stage.relate(event, reader, anna)
    reading.finish()
    walk.to_the_end()
    assert walk.seen == kept
    stage.check_at_rest(reader)


@pytest.mark.parametrize("event", ["unfollow", "mute", "block"])
def test_F4_what_is_hidden_on_the_way_up_does_not_end_it(stage: Stage, event: str) -> None:
    reader, anna, kept = hidden_in_between(stage)
    reading = stage.start(
        lambda: stage.pages_above(reader, size=2, above=kept[-1] - 1), Place(from_postgres, "ids_rising", after=True)
    )
    stage.relate(event, reader, anna)
    assert [entry for page in reversed(reading.finish()) for entry in page] == kept


@pytest.mark.parametrize("event", ["unfollow", "mute", "block"])
def test_F4_what_is_hidden_after_it_was_found_among_the_candidates_keeps_none_of_the_others_away(
    stage: Stage, event: str
) -> None:
    """Beyond the chunks Postgres picks candidates, which are decided once more: the next ones take the place."""
    stage.monkeypatch.setattr(filtering, "CHUNKS", (2,))
    reader, anna, kept = hidden_in_between(stage)
    stage.warm(reader)
    decide = Place(filtering, "_decide")
    reading = stage.start(lambda: stage.page(reader, size=3), decide, decide)
    reading.go_on()
    stage.relate(event, reader, anna)
    assert reading.finish() == (kept[:3], kept[2])
    stage.check_at_rest(reader)
