"""When people write: their hours, and what a moment is called where they live."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

SEASONS = ("winter", "spring", "summer", "autumn")
TODAY = {"morning": "this morning", "afternoon": "this afternoon", "evening": "this evening", "night": "tonight"}

# How likely an author writes in each hour of their day, from midnight on.
RHYTHMS = {
    "early": (0, 0, 0, 0, 1, 5, 9, 9, 7, 4, 3, 3, 4, 3, 2, 2, 3, 4, 4, 4, 3, 1, 0, 0),
    "office": (0, 0, 0, 0, 0, 0, 2, 6, 7, 4, 3, 4, 8, 6, 3, 3, 4, 6, 6, 5, 6, 6, 3, 1),
    "evening": (1, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 2, 2, 2, 3, 5, 7, 9, 10, 9, 6, 3),
    "owl": (7, 5, 2, 1, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 6, 8, 9, 9),
    "always": (1, 0, 0, 0, 0, 1, 3, 5, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7, 7, 7, 7, 6, 4, 2),
    "opening": (0, 0, 0, 0, 0, 0, 1, 5, 9, 8, 7, 6, 6, 5, 6, 6, 5, 3, 1, 0, 0, 0, 0, 0),
}


@dataclass(frozen=True)
class Home:
    """Where a person lives, as far as their days and seasons go."""

    city: str
    hours_ahead: float = 0.0
    is_southern: bool = False
    is_local: bool = False

    def local(self, moment: datetime) -> datetime:
        """Return what the clock there shows."""
        return moment + timedelta(hours=self.hours_ahead)


def daypart(hour: int) -> str:
    """Return what people call an hour of the day."""
    if 5 <= hour < 12:
        return "morning"
    if 12 <= hour < 17:
        return "afternoon"
    return "evening" if 17 <= hour < 23 else "night"


def season(moment: datetime, home: Home) -> str:
    """Return the season of a moment at a place."""
    quarter = moment.month % 12 // 3
    return SEASONS[(quarter + 2) % 4 if home.is_southern else quarter]


def marks_of(moment: datetime, home: Home) -> frozenset[str]:
    """Return what a sentence may ask of a moment: daypart, season, weekday, month, local or not."""
    there = home.local(moment)
    week = "weekend" if there.weekday() >= 5 else "weekday"
    where = "local" if home.is_local else "away"
    names = {f"{there:%A}".lower(), f"{there:%B}".lower()}
    return frozenset({daypart(there.hour), season(there, home), week, where} | names)


def words_of(moment: datetime, home: Home) -> dict[str, tuple[str, ...]]:
    """Return the words that depend on when and where a sentence is written."""
    there = home.local(moment)
    return {
        "today": (TODAY[daypart(there.hour)],),
        "weekday": (f"{there:%A}",),
        "yesterday": (f"{there - timedelta(days=1):%A}",),
        "tomorrow": (f"{there + timedelta(days=1):%A}",),
        "month": (f"{there:%B}",),
        "season": (season(there, home),),
        "degrees": (str(degrees(there, home)),),
        "city": (home.city,),
    }


def degrees(there: datetime, home: Home) -> int:
    """Return a plausible temperature: a warm July, a cool night, and some weather on top."""
    year = math.cos(2 * math.pi * (there.timetuple().tm_yday - 200) / 365) * (-1 if home.is_southern else 1)
    day = math.cos(2 * math.pi * (there.hour - 15) / 24)
    weather = Random(f"{there:%Y-%m-%d} {home.city}").uniform(-3, 3)
    return round(11 + 8 * year + 3.5 * day + weather)
