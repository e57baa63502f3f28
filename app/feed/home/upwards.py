"""Pages of the home feed read forward in time: the oldest entries above a place. They are those of reading back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redis import Redis

from app.accounts.reader import Reader
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.redis import RedisAway
from app.feed.home import from_postgres
from app.feed.home.filtering import filter_home
from app.feed.home.page import ALL_MEMBERS, FIRST_MEMBERS, MAX_CANDIDATES, source_windows
from app.feed.home.sources import Opened, Sources, with_sources
from app.feed.timelines import keys as timeline
from app.feed.timelines import transport
from app.posts.cards.cards import PostCard


@dataclass(frozen=True)
class Risen:
    """Candidates, oldest first, complete up to `ceiling`; above it there may be more if it `is_cut`."""

    ids: Sequence[int]
    ceiling: int
    is_cut: bool


def home_page_above(
    *, viewer: Reader, above: int, size: int = PAGE_SIZE, opened: Opened | None = None
) -> tuple[Sequence[PostCard], int | None]:
    """Return the oldest cards of a home feed above a place, newest first, and where the page above them starts."""
    cards: list[PostCard] = []
    place = above

    def missing() -> int:
        return size + 1 - len(cards)

    def add(candidates: Sequence[int]) -> None:
        cards.extend(filter_home(candidates, viewer, size=missing(), upwards=True).cards(viewer))

    for most in (FIRST_MEMBERS, ALL_MEMBERS):
        risen = _from_redis(viewer, place, most, opened)
        if risen is None:
            break
        add(risen.ids)
        place, opened = risen.ceiling, None
        if missing() <= 0 or not risen.is_cut:
            break
    while missing() > 0 and place != MAX_ID:
        wanted = missing()
        ids = from_postgres.ids_rising(viewer, above=place, size=wanted)
        add(ids)
        place = ids[-1] if len(ids) == wanted else MAX_ID  # some may be hidden by now: only Postgres knows the top
    page, next_above = cut(cards, size, key=lambda card: card.entry_id)
    return page[::-1], next_above


def _from_redis(viewer: Reader, above: int, most: int, opened: Opened | None) -> Risen | None:
    """Merge what Redis holds above a place; None where only Postgres can answer."""
    try:
        return with_sources(viewer, opened, lambda client, known: _merge(client, viewer, above, most, known))
    except RedisAway:
        return None


def _merge(client: Redis, viewer: Reader, above: int, most: int, known: Sources) -> Risen | None:
    if known.only_postgres:
        return None
    commands = [timeline.read_rising(known.generation, viewer.id, than=above, most=most)]
    if known.merged:
        commands.append(timeline.read_versions(known.generation, known.merged))
    members, *versions = transport.send(client, commands, rider=known.rider)
    if members is None:
        return None
    home = [int(member) for member in members]
    ceiling = home[-1] if len(home) == most else MAX_ID
    found = {*home, *(entry_id for entry_id in known.open_ids if above < entry_id <= ceiling)}
    for window in (source_windows(client, known, versions[0]) if known.merged else {}).values():
        if window is None or window.floor > above:
            return None
        found.update(window.between(above + 1, min(ceiling + 1, MAX_ID)))
    ids = sorted(found)
    if len(ids) > MAX_CANDIDATES:
        return Risen(ids[:MAX_CANDIDATES], ids[MAX_CANDIDATES - 1], is_cut=True)
    return Risen(ids, ceiling, is_cut=ceiling != MAX_ID)
