"""Real servers, a real schema and a small cast for every test.

Alice writes, Bob follows her, Carol is a stranger, Mallory is blocked by Alice, Mod runs the site, Warden
moderates.
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
from app.extensions import db
from app.runtime.servers import EphemeralServers, ephemeral_servers
from config import ROOT
from tests import database
from tests.examples import PROFILE
from tests.kept import bring_back, forget
from tests.patience import PATIENT
from tests.people import PASSWORD, Member

settings.load_profile(PROFILE)
os.environ["LINK_CARDS"] = "off"  # no test asks the internet; those of link cards ask servers of their own
NEVER = float("inf")  # of their own accord: statements are counted, and none may come by the clock
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
    return create_app(**PATIENT, TESTING=True, OUTBOX_LEASE_SECONDS=1, SITE_SETTINGS_SECONDS=NEVER)


@pytest.fixture
def cast(whole_app: Flask, request: pytest.FixtureRequest) -> dict[str, Member]:
    """Those of the cast for whom the test asks, in its order, on a site that has nobody else."""
    asked = [each for name in request.fixturenames if name in JOINS for each in (*NEEDS.get(name, ()), name)]
    names = tuple(dict.fromkeys(asked))
    if not names:
        begin_anew(whole_app)
        return {}
    made = bring_back(whole_app, names, lambda: make_cast(whole_app, names))
    return {name: member.in_new_browser() for name, member in made.items()}


@pytest.fixture
def app(whole_app: Flask, cast: dict[str, Member]) -> Flask:
    """The application on a database that is empty but for the cast."""
    return whole_app


def begin_anew(app: Flask) -> None:
    """Forget the last test. No context stays open: a forgotten commit must not go unseen."""
    database.empty(app)
    forget(app)


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


def make_cast(app: Flask, names: tuple[str, ...]) -> dict[str, Member]:
    """Let people join an empty site, one after the other."""
    begin_anew(app)
    join, cast = joining(app), dict[str, Member]()
    for name in names:
        cast[name] = JOINS[name](join, cast)
    return cast


def _join_and_follow(join: Callable[..., Member], cast: dict[str, Member]) -> Member:
    bob = join("bob")
    bob.follow(cast["alice"])
    return bob


def _join_and_be_blocked(join: Callable[..., Member], cast: dict[str, Member]) -> Member:
    mallory = join("mallory")
    cast["alice"].block(mallory)
    return mallory


JOINS: dict[str, Callable[[Callable[..., Member], dict[str, Member]], Member]] = {
    "mod": lambda join, _: join("maud", name="Maud", role="admin"),
    "warden": lambda join, _: join("wanda", name="Wanda", role="moderator"),
    "alice": lambda join, _: join("alice"),
    "bob": _join_and_follow,
    "carol": lambda join, _: join("carol"),
    "mallory": _join_and_be_blocked,
}
NEEDS = {"bob": ("alice",), "mallory": ("alice",)}


@pytest.fixture
def mod(cast: dict[str, Member]) -> Member:
    return cast["mod"]


@pytest.fixture
def warden(cast: dict[str, Member]) -> Member:
    return cast["warden"]


@pytest.fixture
def alice(cast: dict[str, Member]) -> Member:
    return cast["alice"]


@pytest.fixture
def bob(cast: dict[str, Member]) -> Member:
    return cast["bob"]


@pytest.fixture
def carol(cast: dict[str, Member]) -> Member:
    return cast["carol"]


@pytest.fixture
def mallory(cast: dict[str, Member]) -> Member:
    return cast["mallory"]


@pytest.fixture
def stranger(app: Flask) -> Member:
    """Somebody who is not logged in."""
    return Member(app, None, "")
