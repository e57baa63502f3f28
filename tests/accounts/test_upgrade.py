"""People who are logged in while the site is upgraded stay so, and are asked again before something dangerous."""

from __future__ import annotations

import pytest
from alembic import command

from app.runtime.servers import EphemeralServers
from tests.upgrades import ALEMBIC, database_at

PERSON = "INSERT INTO users (handle, name, email, password_hash) VALUES ('alice', 'Alice', 'a@example.org', 'x')"
# As the version before writes it.
SESSION = (
    "INSERT INTO sessions (user_id, token_hash, agent, address, expires_at)"
    " SELECT id, %s, 'tests', '', now() + interval '1 day' FROM users"
)


def test_a_session_from_before_has_shown_nothing_and_one_that_begins_now_has(
    servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database_at("0039", servers, monkeypatch) as connection:
        connection.execute(PERSON)
        connection.execute(SESSION, [b"before"])
        command.upgrade(ALEMBIC, "0040")
        connection.execute(SESSION, [b"now"])
        rows = connection.execute("SELECT token_hash, proven_at IS NOT NULL FROM sessions").fetchall()
    assert dict(rows) == {b"before": False, b"now": True}


def test_nobody_has_confirmed_an_address_before_there_was_mail(
    servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database_at("0032", servers, monkeypatch) as connection:
        connection.execute(PERSON)
        command.upgrade(ALEMBIC, "0039")
        assert connection.execute("SELECT email_confirmed_at FROM users").fetchall() == [(None,)]
        command.downgrade(ALEMBIC, "0032")
