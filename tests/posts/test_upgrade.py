"""What readers filter stays filtered while the site is upgraded."""

from __future__ import annotations

import psycopg
import pytest
from alembic import command

from app.runtime.servers import EphemeralServers
from tests.upgrades import ALEMBIC, database_at


def test_filters_are_kept_under_their_new_name(servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch) -> None:
    with database_at("0017", servers, monkeypatch) as database:
        database.execute("SET session_replication_role = replica")  # filters without the people
        for action in ("hide", "fold"):
            database.execute(
                "INSERT INTO word_filters (user_id, phrase, pattern, is_whole_word, action) "
                "VALUES (1, 'spoiler', 'spoiler', true, %s)",
                [action],
            )
        command.upgrade(ALEMBIC, "0018")
        assert actions(database) == ["hide", "collapse"]
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("UPDATE word_filters SET action = 'fold'")
        command.downgrade(ALEMBIC, "0017")
        assert actions(database) == ["hide", "fold"]


def actions(database: psycopg.Connection) -> list[str]:
    return [action for (action,) in database.execute("SELECT action FROM word_filters ORDER BY id")]
