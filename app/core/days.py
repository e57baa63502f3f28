"""Days as places in lists: a day leads to what was newest then, and to everything below."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from app.core import clock
from app.core.errors import Refused
from app.core.ids import id_at
from app.core.zones import Zone

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class BadDay(Refused):
    """Not a day."""

    field = "date"


def read_day(text: str) -> date:
    """Return the day that a form names as `2026-11-17`."""
    text = text.strip()
    if not text:
        raise BadDay("Choose a date first.")
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError as error:
        raise BadDay("That’s not a valid date. Write it as year-month-day, like 2026-11-17.") from error


def start_of(day: date, zone: Zone) -> int:
    """Return the lowest id of a day, which begins where its midnight is, or would be: clocks may skip or repeat it."""
    return id_at(datetime.combine(day, time.min, zone or UTC))


def end_of(day: date, zone: Zone) -> int | None:
    """Return the id below which everything is of that day or older; None for the top, where it is not over."""
    if day >= clock.now().astimezone(zone or UTC).date():
        return None
    return max(1, start_of(day + timedelta(days=1), zone))
