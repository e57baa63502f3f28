"""Numbers as people read them."""

from __future__ import annotations


def compact(number: int) -> str:
    """Write a count as short as it can be without lying: 999, 1.2K, 34K, 5.6M."""
    for size, letter in ((1_000_000, "M"), (1_000, "K")):
        if number >= size:
            tenths = number * 10 // size  # rounded down: never claim more than there are
            whole = tenths // 10
            return f"{whole}{letter}" if tenths % 10 == 0 or whole >= 100 else f"{tenths / 10:.1f}{letter}"
    return str(number)
