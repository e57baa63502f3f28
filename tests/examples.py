"""How Hypothesis looks for examples: some each time, twenty times as many in `make test-long`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
FACTOR = 20 if IS_LONG else 1
PROFILE = "freshet"
settings.register_profile(
    PROFILE,
    max_examples=50 * FACTOR,
    deadline=None,  # a busy machine is slow, not wrong
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


def examples(number: int) -> int:
    """Return how many examples to try where this many are enough for every day."""
    return number * FACTOR
