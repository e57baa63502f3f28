"""What time it is, in one place, so that a test can move it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)
