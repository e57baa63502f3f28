"""What a reader has seen of their home feed: all up to a mark, and stretches of ids above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.core.ids import MAX_ID

MAX_STRETCHES = 100  # above the mark; of more, the oldest are forgotten, and what is in them is new again

Stretch = tuple[int, int]  # the ids from the first to the last, both included


@dataclass(frozen=True)
class Seen:
    """Everything up to `mark`, and the stretches above it: ascending, apart from each other and from the mark."""

    mark: int
    above: Sequence[Stretch] = ()

    def __contains__(self, entry_id: int) -> bool:
        return entry_id <= self.mark or any(first <= entry_id <= last for first, last in self.above)

    def has(self, stretches: Sequence[Stretch]) -> bool:
        """Say whether nothing would change with these: all have been seen, or would be forgotten at once."""
        if not stretches or self._covers(min(stretches)[0], max(last for _, last in stretches)):  # as on most pages
            return True
        return all(self._covers(*stretch) for stretch in stretches) or self.and_also(stretches) == self

    def _covers(self, first: int, last: int) -> bool:
        return last <= self.mark or any(start <= first and last <= end for start, end in self.above)

    def and_also(self, stretches: Iterable[Stretch]) -> Seen:
        """Return what has been seen with these: never less, whatever is added, in whatever order and how often.

        The mark passes an entry only when nothing is left out between it and where the mark was.
        """
        mark, above = self.mark, list[Stretch]()
        for first, last in sorted([*self.above, *stretches]):
            if first <= mark + 1:
                mark = max(mark, last)
            elif above and first <= above[-1][1] + 1:
                above[-1] = above[-1][0], max(above[-1][1], last)
            else:
                above.append((first, last))
        return Seen(mark, tuple(above[-MAX_STRETCHES:]))


NOTHING = Seen(0)


def stretches_of(entry_ids: Iterable[int], *, settled: int, below: int | None = None, is_end: bool) -> list[Stretch]:
    """Return what is seen with entries that follow each other in a feed, such as those of a page.

    An entry stands for itself and, up to `settled`, for the ids down to the next entry: nothing else is between. Above
    `settled` a post may still appear between two others, because ids commit a moment out of order. `below` is the place
    below which the page begins; `is_end` is whether it is the last one.
    """
    ids = sorted(entry_ids)
    stretches = [(entry_id, entry_id) for entry_id in ids]
    edges = [0] * is_end + ids + ([below] if below is not None else [])
    stretches += [(lower + 1, upper - 1) for lower, upper in pairwise(edges) if upper <= settled]
    return [stretch for stretch in stretches if stretch[0] <= stretch[1]]


def read_stretches(text: str) -> list[Stretch]:
    """Understand what a page reports, `first-last,first-last`; a ValueError where it is not that."""
    stretches = []
    for word in text.split(",") if text else ():
        first, last = (int(number) for number in word.split("-"))
        if not 0 < first <= last <= MAX_ID:
            raise ValueError(word)
        stretches.append((first, last))
    return stretches


def as_numbers(stretches: Iterable[Stretch]) -> list[int]:
    """Return stretches as they are kept: first, last, first, last."""
    return [number for stretch in stretches for number in stretch]


def from_numbers(numbers: Sequence[int]) -> list[Stretch]:
    """Return stretches from how they are kept."""
    return list(zip(numbers[::2], numbers[1::2], strict=True))
