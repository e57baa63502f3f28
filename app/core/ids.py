"""Ids that are times: milliseconds since 2026 in the upper 41 bits, a running number in the lower 12.

The database function `next_id()` draws them (see the first migration). 53 bits in all, so that an id is exact as
a Redis score and as a JSON number.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
SEQUENCE_BITS = 12
MAX_ID = 2**53 - 1


def time_of(entry_id: int) -> datetime:
    """Return the moment at which an id was drawn."""
    return EPOCH + timedelta(milliseconds=entry_id >> SEQUENCE_BITS)


def id_at(moment: datetime) -> int:
    """Return the lowest id of a moment."""
    return max(0, int((moment - EPOCH) / timedelta(milliseconds=1))) << SEQUENCE_BITS
