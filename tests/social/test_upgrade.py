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


def test_a_follow_at_all_replies_is_one_at_all_for_the_version_before(
    servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database_at("0029", servers, monkeypatch) as database:
        database.execute("SET session_replication_role = replica")  # follows without the people, and nothing counted
        database.execute("INSERT INTO follows (follower_id, followed_id) VALUES (1, 2), (1, 3)")
        database.execute("UPDATE follows SET volume = 'all_replies' WHERE followed_id = 3")
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("UPDATE follows SET volume = 'loud'")
        command.downgrade(ALEMBIC, "0028")
        assert volumes(database) == ["all", "all"]
        with pytest.raises(psycopg.errors.CheckViolation):
            database.execute("UPDATE follows SET volume = 'all_replies'")
        command.upgrade(ALEMBIC, "0029")
        assert volumes(database) == ["all", "all"]


def volumes(database: psycopg.Connection) -> list[str]:
    return [volume for (volume,) in database.execute("SELECT volume FROM follows ORDER BY followed_id")]
