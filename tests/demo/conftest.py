"""One made-up population for all tests that only look at it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.demo.population import Population, make_population

NOW = datetime(2026, 7, 14, 16, 20, tzinfo=UTC)
CELEBRITY_NEEDS = 260
LONGEST = 500


@pytest.fixture(scope="session")
def population() -> Population:
    return make_population(now=NOW, celebrity_needs=CELEBRITY_NEEDS, longest=LONGEST)
