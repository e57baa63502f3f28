"""F12, seen is seen: what devices report, in whatever order and how often, and what may be said then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.feed.home.seen import Seen, Stretch, as_numbers, from_numbers, read_stretches, stretches_of

LAST = 40
ids = st.integers(1, LAST)
feeds = st.sets(ids).map(lambda them: sorted(them, reverse=True))
stretch = st.tuples(ids, ids).map(lambda two: (min(two), max(two)))
batches = st.lists(st.lists(stretch, max_size=4), max_size=6)


def what_is_in(seen: Seen) -> set[int]:
    return {number for number in range(LAST + 2) if number in seen}


@given(st.integers(0, LAST), batches, st.randoms(use_true_random=False))
def test_F12_two_devices_may_report_in_any_order_and_more_than_once(
    mark: int, batches: list[list[Stretch]], random: object
) -> None:
    in_order = seen = Seen(mark)
    for batch in batches:
        in_order = in_order.and_also(batch)
    again = [*batches, *batches]
    random.shuffle(again)  # type: ignore[attr-defined]
    for batch in again:
        before, seen = seen, seen.and_also(batch)
        assert seen.mark >= before.mark and what_is_in(seen) >= what_is_in(before), "it went backwards"
    assert seen == in_order
    named = {number for batch in batches for first, last in batch for number in range(first, last + 1)}
    assert what_is_in(seen) == named | set(range(mark + 1)), "exactly what was reported"


@given(st.integers(0, LAST), batches)
def test_F12_the_mark_stops_at_what_nobody_has_seen(mark: int, batches: list[list[Stretch]]) -> None:
    seen = Seen(mark)
    for batch in batches:
        seen = seen.and_also(batch)
    assert seen.mark + 1 not in seen
    assert seen == Seen(seen.mark).and_also(seen.above) == Seen(0).and_also([(0, seen.mark), *seen.above])
    assert from_numbers(as_numbers(seen.above)) == list(seen.above)


@given(feeds, st.integers(0, LAST + 1), st.data())
def test_F12_what_a_page_reports_covers_its_entries_and_nothing_that_may_still_appear(
    feed: list[int], settled: int, data: st.DataObject
) -> None:
    """The ids between two entries are seen with them, once nothing can appear there any more."""
    start = data.draw(st.integers(0, len(feed)))
    end = data.draw(st.integers(start, len(feed)))
    page, below = feed[start:end], feed[start - 1] if start else None
    seen = Seen(0).and_also(stretches_of(page, settled=settled, below=below, is_end=end == len(feed)))
    assert set(page) <= what_is_in(seen)
    assert not (set(feed) - set(page)) & what_is_in(seen)
    late = {number for number in range(max(settled, 1), LAST + 2) if number not in feed}
    assert not late & what_is_in(seen)


@given(feeds, st.integers(1, 5), st.integers(0, 5))
def test_F12_pages_read_from_the_top_reach_the_end_together(feed: list[int], size: int, left_out: int) -> None:
    """Whoever has read them all is caught up; whoever has left one out is not, and the mark waits below it."""
    starts = range(0, len(feed), size)
    seen = Seen(0)
    for number, start in enumerate(starts):
        page = feed[start : start + size]
        if number != left_out:
            below = feed[start - 1] if start else None
            seen = seen.and_also(stretches_of(page, settled=LAST + 1, below=below, is_end=start + size >= len(feed)))
    missed = feed[left_out * size : left_out * size + size]
    assert [entry for entry in feed if entry not in seen] == missed
    if missed:
        assert seen.mark < missed[-1]
    elif feed:
        assert seen == Seen(feed[0])


def test_of_very_many_stretches_the_oldest_are_forgotten_and_never_the_mark() -> None:
    seen = Seen(7).and_also([(number, number) for number in range(10, 1000, 2)])
    assert seen.mark == 7 and len(seen.above) == 100 and 998 in seen and 10 not in seen


def test_what_is_no_report_is_refused() -> None:
    assert read_stretches("") == [] and read_stretches("3-4,9-9") == [(3, 4), (9, 9)]
    for wrong in ("4-3", "0-4", "5", "a-b", "1-2,", "1-2-3", "1-99999999999999999999", "-1-2"):
        try:
            found: object = read_stretches(wrong)
        except ValueError:
            found = None
        assert found is None, wrong
