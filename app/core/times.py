"""Moments as people read them: by the clock of their time zone, in UTC where that is not known."""

from __future__ import annotations

from datetime import UTC, datetime

from app.core import clock
from app.core.zones import Zone

_PARTS = ("night", "morning", "afternoon", "evening")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def ago(moment: datetime, zone: Zone) -> str:
    """Say how long ago something was, as short as a feed needs it: now, 5m, 3h, 2d, 14 Mar, 14 Mar 2025."""
    now = clock.now()
    seconds = int((now - moment).total_seconds())
    if seconds < 60:
        return "now"
    if seconds < 3600:
        return f"{seconds // 60}m"
    if seconds < 86_400:
        return f"{seconds // 3600}h"
    if seconds < 7 * 86_400:
        return f"{seconds // 86_400}d"
    return short_day(moment, zone)


def short_day(moment: datetime, zone: Zone) -> str:
    """Say on which day something was, as short as a card needs it: 14 Mar, 14 Mar 2025."""
    moment, now = _local(moment, zone), _local(clock.now(), zone)
    day_and_month = f"{moment.day} {_MONTHS[moment.month - 1]}"  # strftime takes ten times as long, for each card
    return day_and_month if moment.year == now.year else f"{day_and_month} {moment.year}"


def part_of_day(moment: datetime, zone: Zone) -> str:
    """Say when something was as one remembers it: this morning, yesterday evening, Tuesday night, 12 November."""
    moment, now = _local(moment, zone), _local(clock.now(), zone)
    days = (now.date() - moment.date()).days
    if days > 6:
        return f"{moment.day} {moment:%B}"
    part = _PARTS[moment.hour // 6]
    if days == 0:
        return "tonight" if part == "night" else f"this {part}"
    return f"{'yesterday' if days == 1 else f'{moment:%A}'} {part}"


def in_full(moment: datetime, zone: Zone) -> str:
    """Say exactly when something was; and where that is in UTC because the reader's zone is not known."""
    moment = _local(moment, zone)
    return f"{moment.day} {moment:%B %Y, %H:%M}{'' if zone else ' UTC'}"


def ending(until: datetime | None, zone: Zone) -> str:
    """Return the words for how long something is; none where it is for ever."""
    return f" until {in_full(until, zone)}" if until else ""


def day(moment: datetime, zone: Zone) -> str:
    """Say on which day something was or will be."""
    moment = _local(moment, zone)
    return f"{moment.day} {moment:%B %Y}"


def month_and_year(moment: datetime, zone: Zone) -> str:
    """Say roughly when something was."""
    return f"{_local(moment, zone):%B %Y}"


def _local(moment: datetime, zone: Zone) -> datetime:
    return moment.astimezone(zone or UTC)
