"""Real workers for the tests that need them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.activity.workers import Workers


@pytest.fixture
def workers(app: Flask) -> Iterator[Workers]:
    workers = Workers()
    yield workers
    workers.end()
