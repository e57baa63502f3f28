"""Pages of long lists from a request, hung on signed cursors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Generic, TypeVar
from urllib.parse import quote, urlencode

from flask import request

from app import addresses
from app.core import cursor
from app.core.days import end_of
from app.core.zones import Zone, kept_name, zone_named

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Page(Generic[T]):
    """Items, and the addresses of what follows below and above, where that can be read.

    The end is said by `next_url` and `prev_url`, never by the number of items. A first page has nothing above it.
    """

    items: Sequence[T]
    next_url: str | None
    is_first: bool
    below: int | None = None  # the place below which it begins
    prev_url: str | None = None
    is_upwards: bool = False  # read forward in time, and put above what is there
    around: str | None = None  # followed by an entry, the address of the page around it

    def map(self, turn: Callable[[Sequence[T]], Sequence[U]]) -> Page[U]:
        """Return the same page of other things: ids turned into cards. It may hold fewer, and still leads on."""
        return replace(self, items=turn(self.items))  # type: ignore[arg-type,return-value]


def read_page(
    scope: str,
    fetch: Callable[[int | None], tuple[Sequence[T], int | None]],
    *,
    viewer_id: int | None,
    path: str | None = None,
    fetch_above: Callable[[int], tuple[Sequence[T], int | None]] | None = None,
    place_of: Callable[[int], int | None] = lambda entry_id: entry_id,
) -> Page[T]:
    """Fetch the page that the request's cursor names in the list `scope`; others are found under `path`.

    A list that can be read upwards, too, says by `fetch_above` what is above a place, and where the page above that
    starts. Then `?above=` is a page upwards and `?near=` one around an entry, and every page but the first leads there.
    `place_of` says where an entry is, if that is not its id; one that is not in the list leads to the first page.
    """
    path = path or quote(request.path, safe="/@")
    around = addresses.around(path) if fetch_above else None

    def address(way: str, place: int | None) -> str | None:
        scoped = scope if way == "cursor" else f"{scope}:above"
        return None if place is None else f"{path}?{way}={cursor.sign(scoped, place, viewer_id=viewer_id)}"

    if fetch_above and (above := cursor.read(f"{scope}:above", request.args.get("above"), viewer_id=viewer_id)):
        items, higher = fetch_above(above)
        prev_url = address("above", higher)
        return Page(items, address("cursor", above + 1), False, prev_url=prev_url, is_upwards=True, around=around)
    entry_id = cursor.read_entry(request.args.get("near")) if fetch_above else None
    if fetch_above and entry_id and (near := place_of(entry_id)):
        items, higher = fetch_above(near)
        older, lower = fetch(near + 1)
        prev_url = address("above", higher)
        next_url = address("cursor", lower)
        return Page([*items, *older], next_url, is_first=prev_url is None, prev_url=prev_url, around=around)
    before = cursor.read(scope, request.args.get("cursor"), viewer_id=viewer_id)
    items, lower = fetch(before)
    prev_url = address("above", max(before - 1, 1)) if fetch_above and before is not None else None
    return Page(items, address("cursor", lower), before is None, below=before, prev_url=prev_url, around=around)


def counted(page: Page[T], listed: int) -> tuple[Page[T], int | None]:
    """Return a page whose way onwards says how many were listed so far, and how many were in all if it is the last one.

    None while there is more, and where nobody knows what was above, as after a jump.
    """
    above = 0 if page.is_first else request.args.get("listed", type=int)
    if above is None:
        return page, None
    if page.next_url is None:
        return page, above + listed
    return replace(page, next_url=f"{page.next_url}&listed={above + listed}"), None


def zone_for_day(known: Zone) -> Zone:
    """Return the zone in which a day is asked for: that of the viewer or, where it is not known, of their browser."""
    return known or zone_named(kept_name(request.args.get("time_zone", "")))


def at_day(scope: str, day: date, *, zone: Zone, viewer_id: int | None, path: str, top: str | None = None) -> str:
    """Return the address of the list `scope` from a day on: the same pages under the same cursor, made from a date."""
    before = end_of(day, zone)
    if before is None:
        return top or path
    return f"{path}?cursor={cursor.sign(scope, before, viewer_id=viewer_id)}"


def read_page_at(
    scope: str,
    fetch: Callable[[Sequence[int]], tuple[Sequence[T], Sequence[int] | None]],
    *,
    viewer_id: int | None,
    keeping: Mapping[str, str],
    path: str | None = None,
) -> Page[T]:
    """Fetch a page whose place takes several numbers to say; the address of the next one keeps what this one asked.

    It is under `path`, where that is not the address that was asked for.
    """
    at = cursor.read_place(scope, request.args.get("cursor"), viewer_id=viewer_id)
    items, next_at = fetch(at)
    next_url = None
    if next_at is not None:
        signed = cursor.sign_place(scope, next_at, viewer_id=viewer_id)
        next_url = f"{path or request.path}?{urlencode({**keeping, 'cursor': signed})}"
    return Page(items, next_url, is_first=not at)
