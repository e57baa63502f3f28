"""Real servers, a real schema and a small cast for every test.

Alice writes, Bob follows her, Carol is a stranger, Mallory is blocked by Alice, Mod runs the site.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from alembic import command
from alembic.config import Config as AlembicConfig
from argon2 import PasswordHasher
from flask import Flask
from hypothesis import settings

from app import create_app
from app.accounts import passwords
from app.accounts.operations import sign_up
from app.extensions import db, limiter
from app.runtime.servers import EphemeralServers, ephemeral_servers
from config import ROOT
from tests import database
from tests.examples import PROFILE
from tests.people import PASSWORD, Member

settings.load_profile(PROFILE)
# The real hasher with the cheapest settings: a test is not the place to wait for it.
passwords.hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture(scope="session")
def servers() -> Iterator[EphemeralServers]:
    """Postgres and Valkey for this test process alone, with the schema that the migrations make."""
    with ephemeral_servers() as running:
        os.environ.update(
            DATABASE_URL=running.database_url,
            REDIS_URL=running.redis_url,
            FRESHET_DATA=str(running.data),
            FRESHET_RATE_LIMITS="off",
        )
        command.upgrade(AlembicConfig(ROOT / "alembic.ini"), "head")
        yield running


@pytest.fixture(scope="session")
def whole_app(servers: EphemeralServers) -> Flask:
    return create_app(TESTING=True, OUTBOX_LEASE_SECONDS=1)


@pytest.fixture
def app(whole_app: Flask) -> Flask:
    """The application on an empty database."""
    begin_anew(whole_app)
    return whole_app


def begin_anew(app: Flask) -> None:
    """Forget the last test. No context stays open: a forgotten commit must not go unseen."""
    database.empty(app)
    app.extensions.pop("freshet.set_up", None)
    app.extensions.pop("tests.scene", None)
    limiter.enabled = False


@pytest.fixture
def join(app: Flask) -> Callable[..., Member]:
    """Sign somebody up and log them in."""
    return joining(app)


def joining(app: Flask) -> Callable[..., Member]:
    """Return how people join."""

    def join(handle: str, *, name: str | None = None, role: str = "member") -> Member:
        with app.app_context():
            user = sign_up(
                handle=handle,
                name=name or handle.title(),
                email=f"{handle}@example.org",
                password=PASSWORD,
                role=role,
            )
            db.session.commit()
            return Member(app, user.id, handle)

    return join


@pytest.fixture
def mod(join: Callable[..., Member]) -> Member:
    return join("maud", name="Maud", role="admin")


@pytest.fixture
def alice(join: Callable[..., Member]) -> Member:
    return join("alice")


@pytest.fixture
def bob(join: Callable[..., Member], alice: Member) -> Member:
    bob = join("bob")
    bob.follow(alice)
    return bob


@pytest.fixture
def carol(join: Callable[..., Member]) -> Member:
    return join("carol")


@pytest.fixture
def mallory(join: Callable[..., Member], alice: Member) -> Member:
    mallory = join("mallory")
    alice.block(mallory)
    return mallory


@pytest.fixture
def stranger(app: Flask) -> Member:
    """Somebody who is not logged in."""
    return Member(app, None, "")
