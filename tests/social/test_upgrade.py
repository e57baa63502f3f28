"""What readers chose stays chosen while the site is upgraded."""

from __future__ import annotations

import psycopg
import pytest
from alembic import command

from app.runtime.servers import EphemeralServers
from tests.upgrades import ALEMBIC, database_at


def test_volumes_are_kept_under_their_new_name(servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch) -> None:
    with database_at("0016", servers, monkeypatch) as database:
        database.execute("SET session_replication_role = replica")  # follows without the people, and nothing counted
        chosen = ["all", "few", "no_reposts"]
        database.execute(
            "INSERT INTO follows (follower_id, followed_id, volume) SELECT 1, n + 1, (%s::text[])[n] "
            "FROM generate_series(1, 3) AS n",
            [chosen],
        )
        command.upgrade(ALEMBIC, "0017")
        assert volumes(database) == ["all", "highlights", "no_reposts"]
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("UPDATE follows SET volume = 'few'")
        command.downgrade(ALEMBIC, "0016")
        assert volumes(database) == chosen


def volumes(database: psycopg.Connection) -> list[str]:
    return [volume for (volume,) in database.execute("SELECT volume FROM follows ORDER BY followed_id")]
