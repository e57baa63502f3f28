"""An id is a moment, and a moment is an id."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask import Flask
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from app.core import ids
from app.extensions import db

IDS = st.integers(min_value=0, max_value=ids.MAX_ID)
LAST_MOMENT = ids.time_of(ids.MAX_ID)
MOMENTS = st.datetimes(datetime(2026, 1, 1), LAST_MOMENT.replace(tzinfo=None), timezones=st.just(UTC))


@given(IDS)
def test_the_lowest_id_of_a_moment_is_the_id_without_its_running_number(entry_id: int) -> None:
    assert ids.id_at(ids.time_of(entry_id)) == entry_id >> ids.SEQUENCE_BITS << ids.SEQUENCE_BITS


@given(MOMENTS)
def test_a_moment_comes_back_to_the_millisecond(moment: datetime) -> None:
    assert timedelta() <= moment - ids.time_of(ids.id_at(moment)) < timedelta(milliseconds=1)


@given(IDS, IDS)
def test_ids_sort_by_time(one: int, other: int) -> None:
    assert (one < other) >= (ids.time_of(one) < ids.time_of(other))


def test_an_id_is_exact_as_a_double() -> None:
    assert int(float(ids.MAX_ID)) == ids.MAX_ID
    assert int(float(ids.MAX_ID + 2)) != ids.MAX_ID + 2


def test_before_the_epoch_there_is_only_the_first_id() -> None:
    assert ids.id_at(datetime(1999, 12, 31, tzinfo=UTC)) == 0


def test_the_database_draws_ids_of_the_present_that_never_repeat_or_go_back(app: Flask) -> None:
    with app.app_context():
        drawn = list(db.session.scalars(text("SELECT next_id() FROM generate_series(1, 10000)")))
    assert drawn == sorted(set(drawn))
    assert abs(ids.time_of(drawn[0]) - datetime.now(UTC)) < timedelta(seconds=10)
    assert drawn[-1] <= ids.MAX_ID
