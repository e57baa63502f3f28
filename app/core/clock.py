"""What time it is, in one place, so that a test can move it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)


def holds(until: datetime | None) -> bool:
    """Say whether something that ends at a moment holds now; None is when it does not hold at all."""
    return until is not None and until > now()
