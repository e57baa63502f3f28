"""Numbers and moments as people read them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core import clock, times
from app.core.numbers import compact

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
WORTH = {"K": 1_000, "M": 1_000_000}


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (1, "1"),
        (999, "999"),
        (1_000, "1K"),
        (1_099, "1K"),
        (1_100, "1.1K"),
        (1_999, "1.9K"),
        (10_000, "10K"),
        (34_567, "34.5K"),
        (100_999, "100K"),
        (999_999, "999K"),
        (1_000_000, "1M"),
        (5_678_901, "5.6M"),
        (1_234_567_890, "1234M"),
    ],
)
def test_counts_are_short(number: int, shown: str) -> None:
    assert compact(number) == shown


@given(st.integers(min_value=0, max_value=10**12))
def test_a_count_never_claims_more_than_there_are_nor_much_less(number: int) -> None:
    shown = compact(number)
    claimed = float(shown.rstrip("KM")) * WORTH.get(shown[-1], 1)
    assert number * 0.9 <= claimed <= number


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        (timedelta(seconds=-30), "now"),  # a clock that is a little ahead
        (timedelta(0), "now"),
        (timedelta(seconds=59), "now"),
        (timedelta(seconds=60), "1m"),
        (timedelta(minutes=59, seconds=59), "59m"),
        (timedelta(hours=1), "1h"),
        (timedelta(hours=23, minutes=59), "23h"),
        (timedelta(days=1), "1d"),
        (timedelta(days=6, hours=23), "6d"),
        (timedelta(days=7), "9 Nov"),
        (timedelta(days=319), "1 Jan"),
        (timedelta(days=320), "31 Dec 2025"),
    ],
)
def test_how_long_ago_something_was(monkeypatch: pytest.MonkeyPatch, before: timedelta, shown: str) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    assert times.ago(NOW - before, None) == shown


def test_exact_and_rough_moments() -> None:
    moment = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
    assert times.in_full(moment, None) == "4 March 2026, 05:06 UTC"
    assert times.month_and_year(moment, None) == "March 2026"
