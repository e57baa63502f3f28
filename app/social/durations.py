"""How long a mute lasts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.core import clock

FOR_EVER = "ever"
DURATIONS: Mapping[str, timedelta | None] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    FOR_EVER: None,
}


def end_of(duration: str) -> datetime | None:
    """Return when a duration that starts now is over; None if it never is."""
    length = DURATIONS[duration]
    return clock.now() + length if length else None
