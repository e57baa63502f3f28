"""Databases as an older version of the site left them, to be upgraded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from alembic import command
from alembic.config import Config as AlembicConfig

from app.runtime.servers import EphemeralServers
from config import ROOT

ALEMBIC = AlembicConfig(ROOT / "alembic.ini")


@contextmanager
def database_at(
    revision: str, servers: EphemeralServers, monkeypatch: pytest.MonkeyPatch
) -> Iterator[psycopg.Connection]:
    """Give a database of its own with the schema of `revision`; migrations go there, too."""
    url = servers.database_url.replace("@/freshet?", "@/upgraded?")
    with _connect(servers.database_url) as server:
        server.execute("CREATE DATABASE upgraded")
        try:
            monkeypatch.setenv("DATABASE_URL", url)
            command.upgrade(ALEMBIC, revision)
            with _connect(url) as connection:
                yield connection
        finally:
            server.execute("DROP DATABASE upgraded")


def _connect(url: str) -> psycopg.Connection:
    return psycopg.connect(url.replace("postgresql+psycopg:", "postgresql:"), autocommit=True)
