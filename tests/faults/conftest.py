"""One town for all these tests; whoever hurts it leaves it at rest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import seams
from tests.faults.town import Town, running_town
from tests.runtime.processes import eventually


@pytest.fixture(scope="session")
def shared_town() -> Iterator[Town]:
    with running_town() as town:
        yield town


@pytest.fixture
def town(shared_town: Town) -> Town:
    """Give a town at rest, whatever the test before did to it. Its homes are warm: each test ends with `verify`."""
    seams.disarm(shared_town.site.data)
    shared_town.come_to_rest()
    eventually(lambda: shared_town.runs("worker.py work"))
    return shared_town
