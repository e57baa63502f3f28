"""Time zones: their names, where their days begin and end, and what time it is in them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import clock, times
from app.core.days import end_of, start_of
from app.core.ids import MAX_ID, time_of
from app.core.zones import choices, kept_name, zone_named

ALL = [name for zones in choices().values() for name in zones]
A_DAY = timedelta(days=1)


@pytest.fixture
def in_2027(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every day of 2026 be over."""
    monkeypatch.setattr(clock, "now", lambda: datetime(2027, 1, 5, 12, tzinfo=UTC))


def end(day: str, zone: str | None) -> str:
    found = end_of(date.fromisoformat(day), zone_named(zone))
    assert found is not None
    return f"{time_of(found):%d %B %H:%M}"


@pytest.mark.usefixtures("in_2027")
@pytest.mark.parametrize(
    ("zone", "moment"),
    [
        (None, "11 February 00:00"),
        ("UTC", "11 February 00:00"),
        ("Pacific/Kiritimati", "10 February 10:00"),
        ("Asia/Kathmandu", "10 February 18:15"),
        ("America/Los_Angeles", "11 February 08:00"),
    ],
)
def test_a_day_ends_at_midnight_of_its_zone(zone: str | None, moment: str) -> None:
    assert end("2026-02-10", zone) == moment


@pytest.mark.usefixtures("in_2027")
@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("America/Los_Angeles", "2026-03-08", 23),
        ("America/Los_Angeles", "2026-11-01", 25),
        ("Europe/Vienna", "2026-03-29", 23),
        ("Europe/Vienna", "2026-10-25", 25),
        ("Australia/Lord_Howe", "2026-04-05", 24.5),
        ("Africa/Cairo", "2026-04-24", 23),  # from 00:00 on it is 01:00: midnight is left out
        ("America/Havana", "2026-11-01", 25),  # at 01:00 it is 00:00 once more: the first midnight counts
        ("Asia/Kathmandu", "2026-03-29", 24),
        ("Pacific/Kiritimati", "2026-10-25", 24),
    ],
)
def test_a_day_on_which_clocks_change_is_shorter_or_longer(zone: str, day: str, hours: float) -> None:
    before = date.fromisoformat(day) - A_DAY
    ends = [end_of(each, zone_named(zone)) for each in (before, before + A_DAY)]
    assert ends[0] is not None and ends[1] is not None
    assert time_of(ends[1]) - time_of(ends[0]) == timedelta(hours=hours)


@given(st.sampled_from(ALL), st.dates(date(2026, 1, 3), date(2040, 1, 1)))
def test_days_follow_each_other_without_a_gap_and_hold_what_is_said_to_be_of_them(name: str, day: date) -> None:
    zone = zone_named(name)
    assert zone is not None
    first, after = (time_of(start_of(each, zone)).astimezone(zone) for each in (day, day + A_DAY))
    last = (time_of(start_of(day + A_DAY, zone)) - timedelta(milliseconds=1)).astimezone(zone)
    assert first.date() == last.date() == day and after.date() == day + A_DAY


@pytest.mark.parametrize("zone", [None, "Pacific/Kiritimati", "America/Los_Angeles"])
def test_days_that_nobody_lives_in_are_days(zone: str | None) -> None:
    known = zone_named(zone)
    assert end_of(date(1, 1, 1), known) == 1
    assert end_of(date(9999, 12, 31), known) is None
    assert start_of(date(1, 1, 1), known) == 0
    assert start_of(date(9999, 12, 31), known) > MAX_ID


@pytest.mark.parametrize(
    ("zone", "is_over"), [("Pacific/Kiritimati", True), (None, False), ("America/Los_Angeles", False)]
)
def test_today_is_over_where_it_is_tomorrow_already(
    zone: str | None, is_over: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 16, 12, tzinfo=UTC))
    assert (end_of(date(2026, 11, 16), zone_named(zone)) is not None) == is_over


@pytest.mark.parametrize(
    ("zone", "in_full", "day", "month", "short"),
    [
        (None, "1 March 2026, 09:30 UTC", "1 March 2026", "March 2026", "1 Mar 2026"),
        ("UTC", "1 March 2026, 09:30", "1 March 2026", "March 2026", "1 Mar 2026"),
        ("Pacific/Kiritimati", "1 March 2026, 23:30", "1 March 2026", "March 2026", "1 Mar 2026"),
        ("Asia/Kathmandu", "1 March 2026, 15:15", "1 March 2026", "March 2026", "1 Mar 2026"),
        ("Pacific/Pago_Pago", "28 February 2026, 22:30", "28 February 2026", "February 2026", "28 Feb 2026"),
    ],
)
@pytest.mark.usefixtures("in_2027")
def test_a_moment_is_said_by_the_clock_of_its_reader(
    zone: str | None, in_full: str, day: str, month: str, short: str
) -> None:
    moment, known = datetime(2026, 3, 1, 9, 30, tzinfo=UTC), zone_named(zone)
    assert times.in_full(moment, known) == in_full
    assert times.day(moment, known) == day
    assert times.month_and_year(moment, known) == month
    assert times.short_day(moment, known) == times.ago(moment, known) == short


@pytest.mark.parametrize(("zone", "short"), [("Pacific/Kiritimati", "1 Jan"), ("America/Los_Angeles", "31 Dec 2025")])
def test_which_year_it_is_depends_on_the_zone(zone: str, short: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 3, 1, tzinfo=UTC))
    assert times.short_day(datetime(2025, 12, 31, 12, tzinfo=UTC), zone_named(zone)) == short


@pytest.mark.parametrize(
    ("zone", "hours", "words"),
    [
        ("Pacific/Kiritimati", 1, "tonight"),  # 01:00 there
        ("Pacific/Kiritimati", 4, "yesterday evening"),
        ("America/Los_Angeles", 1, "tonight"),  # 03:00 there
        ("America/Los_Angeles", 8, "yesterday evening"),
        ("Asia/Kathmandu", 1, "this afternoon"),  # 16:45 there
        ("Asia/Kathmandu", 100, "Thursday afternoon"),
        (None, 1, "this morning"),
    ],
)
def test_a_part_of_a_day_is_one_of_the_readers_own(
    zone: str | None, hours: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime(2026, 11, 16, 12, tzinfo=UTC)  # a Monday
    monkeypatch.setattr(clock, "now", lambda: now)
    assert times.part_of_day(now - timedelta(hours=hours), zone_named(zone)) == words


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Europe/Vienna", "Europe/Vienna"),
        ("Pacific/Kiritimati", "Pacific/Kiritimati"),
        ("Asia/Calcutta", "Asia/Kolkata"),  # as Chromium says
        ("Asia/Katmandu", "Asia/Kathmandu"),
        ("US/Pacific", "America/Los_Angeles"),
        ("UTC", "UTC"),
        ("Etc/GMT+5", "Etc/GMT+5"),
    ],
)
def test_a_zone_is_kept_under_the_name_that_people_choose(name: str, kept: str) -> None:
    assert kept_name(name) == kept and zone_named(kept) == ZoneInfo(kept)


@pytest.mark.parametrize(
    "name", ["", " ", "Mars/Olympus", "europe/vienna ", "../etc/passwd", "/etc/localtime", "localtime", "Factory", "\0"]
)
def test_what_is_no_zone_has_no_name(name: str) -> None:
    assert kept_name(name) is None


def test_every_zone_that_is_offered_can_be_kept_and_is_offered_once() -> None:
    assert len(ALL) == len(set(ALL)) > 400
    assert all(kept_name(name) == name and zone_named(name) for name in ALL)
    assert choices()["America"]["America/Argentina/Buenos_Aires"] == "Buenos Aires (Argentina)"


def test_a_zone_that_this_machine_has_lost_is_as_one_that_is_not_known() -> None:
    assert zone_named("Mars/Olympus") is None
