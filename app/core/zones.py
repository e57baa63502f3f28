"""Time zones, by the names that all machines know them by."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, available_timezones

Zone = ZoneInfo | None  # None where the reader's is not known: then it is UTC, and a time in full says so

UTC = "UTC"
_OF_MACHINES = {"Factory", "localtime"}  # among the names, but of no place


@cache
def zone_named(name: str | None) -> Zone:
    """Return the zone that is kept under a name; None where there is no name, or this machine does not know it."""
    try:
        return ZoneInfo(name) if name else None
    except (LookupError, ValueError):
        return None


def kept_name(name: str) -> str | None:
    """Return the name under which a zone is kept, None if it is none: browsers know some by a former one."""
    if name not in _names():
        return None
    return name if name in _places() else _links().get(name, name)


@cache
def choices() -> Mapping[str, Mapping[str, str]]:
    """Return what people choose from: by region, what each zone is called, by its name."""
    found: dict[str, dict[str, str]] = {}
    for name in sorted(_places(), key=lambda name: (name.partition("/")[0], label(name))):
        found.setdefault(name.partition("/")[0], {})[name] = label(name)
    return found | {"Other": {UTC: UTC}}


def label(name: str) -> str:
    """Return what a zone is called within its region: Berlin, Buenos Aires (Argentina)."""
    *around, place = name.replace("_", " ").split("/")
    return f"{place} ({around[1]})" if len(around) > 1 else place


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones() - _OF_MACHINES)


@cache
def _places() -> frozenset[str]:
    """Return the zones of places where people live, each by one name."""
    lines = _table("zone.tab").splitlines()
    return frozenset(line.split("\t")[2] for line in lines if line and not line.startswith("#")) & _names()


@cache
def _links() -> Mapping[str, str]:
    """Return the places that other names stand for."""
    links = (line.split() for line in _table("tzdata.zi").splitlines() if line.startswith("L "))
    return {name: place for _, place, name in links if place in _places()}


def _table(file: str) -> str:
    return files("tzdata.zoneinfo").joinpath(file).read_text(encoding="utf-8")
