"""Going back to the version before takes nothing of the counters along that only this one knows."""

from __future__ import annotations

import psycopg
import pytest
from alembic import command

from app.runtime.servers import EphemeralServers
from tests.upgrades import ALEMBIC, database_at


def test_the_version_before_counts_what_was_hidden_and_who_was_suspended(
    servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database_at("0040", servers, monkeypatch) as database:
        for person in (1, 2):
            database.execute(
                "INSERT INTO users (id, handle, name, email, password_hash) OVERRIDING SYSTEM VALUE "
                "VALUES (%s, %s, '', '', '')",
                (person, f"p{person}"),
            )
            database.execute("INSERT INTO user_counters (user_id) VALUES (%s)", (person,))
        database.execute("INSERT INTO follows (follower_id, followed_id) VALUES (1, 2)")
        database.execute("INSERT INTO posts (id, author_id, text) VALUES (7, 2, 'a'), (8, 2, 'b')")
        database.execute("INSERT INTO likes (post_id, user_id) VALUES (7, 1)")
        before = counters(database)
        assert before == [(0, 1, 0), (1, 0, 2), (7, 1)]
        command.upgrade(ALEMBIC, "0041")
        assert counters(database) == before
        database.execute("UPDATE users SET suspended_until = '9999-12-31' WHERE id = 1")
        database.execute("UPDATE posts SET hidden_until = '9999-12-31' WHERE id = 8")
        assert counters(database) == [(0, 1, 0), (0, 0, 1), (7, 0)]
        command.downgrade(ALEMBIC, "0040")
        assert counters(database) == before
        database.execute("DELETE FROM likes")
        database.execute("DELETE FROM follows")
        assert counters(database) == [(0, 0, 0), (0, 0, 2), (7, 0)]


def counters(database: psycopg.Connection) -> list[tuple[int, ...]]:
    people = database.execute("SELECT followers, following, posts FROM user_counters ORDER BY user_id").fetchall()
    posts = database.execute("SELECT post_id, likes FROM post_counters ORDER BY post_id").fetchall()
    return [*people, *posts]
