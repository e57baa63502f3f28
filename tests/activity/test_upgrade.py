"""Rows that are open while the site is upgraded are done all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from alembic import command
from psycopg.types.json import Jsonb

from app.outbox import names
from app.runtime.servers import EphemeralServers
from tests.upgrades import ALEMBIC, database_at

Fields = dict[str, Any]

# What a row held while facts and progress were one field, and what becomes of it: job, state -> details, state.
BEFORE_AND_AFTER: list[tuple[str, Fields, Fields, Fields]] = [
    (names.PURGE_POSTS, {}, {}, {}),
    (names.FAN_OUT_POST, {}, {}, {}),
    (names.FAN_OUT_POST, {"post": 7}, {"post": 7}, {}),
    (names.FAN_OUT_POST, {"after": 9}, {}, {"after": 9}),
    (names.FINISH_DEMOTION, {"change": 3}, {"change": 3}, {}),
    (names.FINISH_DEMOTION, {"change": 3, "after": 9}, {"change": 3}, {"after": 9}),
    (names.REMOVE_AVATAR, {"file": "a.webp"}, {"file": "a.webp"}, {}),
    (names.REMOVE_IMAGES, {"files": ["a", "b"]}, {"files": ["a", "b"]}, {}),
]


@pytest.fixture
def old_site(servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch) -> Iterator[psycopg.Connection]:
    """A database with the schema from before facts and progress were two fields."""
    with database_at("0015", servers, monkeypatch) as database:
        yield database


def open_as_before(database: psycopg.Connection, job: str, state: Fields) -> None:
    """Open a row as the version before does."""
    row = "INSERT INTO outbox (job, subject_id, state, lease_until) VALUES (%s, 1, %s, now())"
    database.execute(row, [job, Jsonb(state)])


def columns(database: psycopg.Connection, names: str) -> list[tuple[Any, ...]]:
    return database.execute(f"SELECT {names} FROM outbox ORDER BY id".encode()).fetchall()


def test_open_rows_keep_their_facts_and_their_progress(old_site: psycopg.Connection) -> None:
    for job, state, _, _ in BEFORE_AND_AFTER:
        open_as_before(old_site, job, state)
    command.upgrade(ALEMBIC, "0016")
    assert columns(old_site, "job, details, state") == [(job, *after) for job, _, *after in BEFORE_AND_AFTER]
    command.downgrade(ALEMBIC, "0015")
    assert columns(old_site, "job, state") == [(job, before) for job, before, _, _ in BEFORE_AND_AFTER]


def test_a_row_opened_by_a_process_of_the_version_before_has_its_facts(old_site: psycopg.Connection) -> None:
    command.upgrade(ALEMBIC, "0016")
    open_as_before(old_site, names.REMOVE_AVATAR, {"file": "a.webp"})
    assert columns(old_site, "details, state") == [({"file": "a.webp"}, {})]
