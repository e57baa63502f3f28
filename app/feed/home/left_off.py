"""What a page of the home feed shows of where its reader left off: one line, and how many are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from app.accounts.reader import Reader
from app.core import clock
from app.core.ids import id_at
from app.feed.home.marks import Mark
from app.feed.home.new_posts import OVERLAP
from app.feed.home.seen import Seen, Stretch, stretches_of
from app.posts.cards.cards import PostCard
from app.posts.cards.rendering import Line
from app.posts.streams.items import Item, line_at

CAUGHT_UP, LEFT_HERE = "You’re all caught up", "You left off here"


def settled_now() -> int:
    """Return the id below which nothing appears any more: ids are drawn in order, and commit a moment later."""
    return max(0, id_at(clock.now()) - OVERLAP)


@dataclass(frozen=True)
class LeftOff:
    """How many entries are new above where a reader left off, and since when."""

    count: int
    is_more: bool  # further down than the page that counted
    since: datetime | None


@dataclass(frozen=True)
class Place:
    """Where a reader left off, as one page shows it; `is_below` is whether that is further down.

    Scripts need to know the mark, below which everything was seen.
    """

    mark: int = 0
    line: Line | None = None
    is_below: bool = False
    left_off: LeftOff | None = None


def place_on(
    cards: Sequence[PostCard], mark: Mark | None, reader: Reader, *, is_first: bool, is_end: bool, is_sought: bool
) -> Place:
    """Find where a reader left off on a page, newest first: below all that is new to them, above what they have seen.

    `is_sought` is whether it was on none of the pages above. By ids, not by the order in which a page shows them.
    """
    if mark is None or not cards or not is_sought:
        return Place(mark.seen.mark if mark else 0)
    by_age = sorted(cards, key=lambda card: -card.entry_id)
    new = [place for place, card in enumerate(by_age) if not has_seen(reader, mark.seen, card)]
    has_been_here = mark.moved_at is not None or bool(mark.seen.above)
    is_below = not is_end and by_age[-1].entry_id > mark.seen.mark
    left_off = LeftOff(len(new), is_below, mark.moved_at) if is_first and has_been_here and (new or is_below) else None
    at = new[-1] + 1 if new else 0
    if is_below or at == len(by_age) or not has_been_here:
        return Place(mark.seen.mark, is_below=is_below, left_off=left_off)
    words = CAUGHT_UP if is_first and at == 0 and not mark.has_older else LEFT_HERE
    line = Line(by_age[at].entry_id, words)
    return Place(mark.seen.mark, line=line, is_below=is_below, left_off=left_off)


def place_in(layout: Sequence[Item], place: Place, *, is_end: bool) -> Place:
    """Leave the line to the next page where every item of this one has something newer, such as a reply far up."""
    if is_end or place.line is None or line_at(layout, place.line.entry_id) is not None:
        return place
    return replace(place, line=None, is_below=True)


def has_seen(reader: Reader, seen: Seen, card: PostCard) -> bool:
    """Say whether a reader has seen an entry; nobody's own is new to them."""
    if card.entry_id in seen:
        return True
    if not card.is_repost:
        return card.author.id == reader.id
    return bool(card.reposters) and card.reposters[0].handle is None


def stretches_on(cards: Sequence[PostCard], below: int | None, *, is_end: bool) -> list[Stretch]:
    """Return what is seen with a whole page, which begins below a place."""
    return stretches_of((card.entry_id for card in cards), settled=settled_now(), below=below, is_end=is_end)


def rest_of(seen: Seen) -> list[Stretch]:
    """Return all that lies between the mark and the newest entry that was seen: of a feed in which nothing else is."""
    settled = settled_now()
    return [(seen.mark + 1, last) for _, last in seen.above[-1:] if last <= settled]


def gaps_on(cards: Sequence[PostCard], seen: Seen, reader: Reader) -> list[Stretch]:
    """Return the ids between entries of a page that follow each other and were both seen: nothing is there any more.

    While they were new, something might still have appeared between them.
    """
    ids = [card.entry_id for card in cards]
    if not ids or seen.has([(min(ids), max(ids))]):  # as on most pages
        return []
    settled = settled_now()
    seen_or_not = sorted((card.entry_id, has_seen(reader, seen, card)) for card in cards)
    pairs = ((lower, upper) for (lower, below), (upper, above) in pairwise(seen_or_not) if below and above)
    gaps = [(lower, upper) for lower, upper in pairs if upper <= settled]
    return [gap for gap in gaps if not seen.has([gap])]
