"""Servers that are not ours: used when they answer, one sentence without a password when they do not."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.runtime.external import check_postgres, check_redis
from app.runtime.failure import StartFailure
from app.runtime.servers import EphemeralServers, ephemeral_servers
from app.runtime.site import Site


@pytest.fixture(scope="module")
def servers() -> Iterator[EphemeralServers]:
    with ephemeral_servers() as servers:
        yield servers


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Give a port that takes connections and never says a word."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        yield silent.getsockname()[1]


@pytest.mark.parametrize(
    ("check", "url", "said"),
    [
        (check_postgres, "postgresql+psycopg://u:sesame@127.0.0.1:1/x", "Connection refused"),
        (check_postgres, "postgresql+psycopg://u:sesame@nowhere.invalid/x", "failed to resolve host 'nowhere.invalid'"),
        (check_postgres, "postgresql+psycopg://u:ses/ame@127.0.0.1/x", "DATABASE_URL must be the address"),
        (check_postgres, "postgresql+psycopg://u:ses%ame@127.0.0.1/x", "DATABASE_URL must be the address"),
        (check_redis, "redis://:sesame@127.0.0.1:1/0", "Connection refused"),
        (check_redis, "redis://:sesame@nowhere.invalid/0", "connecting to nowhere.invalid:6379"),
        (check_redis, "memcached://:sesame@127.0.0.1", "REDIS_URL must be the address"),
    ],
)
def test_address_that_leads_nowhere(check: Callable[[str], None], url: str, said: str) -> None:
    with pytest.raises(StartFailure, match=said) as failure:
        check(url)
    assert "ses" not in failure.value.sentence
    assert "\n" not in failure.value.sentence


def test_database_and_role_that_do_not_exist(servers: EphemeralServers) -> None:
    check_postgres(servers.database_url)
    with pytest.raises(StartFailure, match='database "nope" does not exist'):
        check_postgres(servers.database_url.replace("/freshet?", "/nope?"))
    with pytest.raises(StartFailure, match='role "nobody_here" does not exist'):
        check_postgres(servers.database_url.replace("freshet@", "nobody_here:sesame@"))


def test_wrong_password_for_redis(servers: EphemeralServers) -> None:
    check_redis(servers.redis_url)
    with pytest.raises(StartFailure, match="REDIS_URL does not work"):
        check_redis(servers.redis_url.replace("unix://", "unix://someone:sesame@"))


def test_silent_servers_are_not_waited_for_for_ever(silent_port: int) -> None:
    with pytest.raises(StartFailure, match="timeout expired"):
        check_postgres(f"postgresql+psycopg://u@127.0.0.1:{silent_port}/x", seconds=2)
    with pytest.raises(StartFailure, match=r"[Tt]imeout"):
        check_redis(f"redis://127.0.0.1:{silent_port}/0", seconds=1)


def test_site_on_external_servers_starts_none_of_its_own(servers: EphemeralServers, data: Path, standin: Path) -> None:
    site = Site(data, root=standin, env={"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url})
    try:
        site.start()
        assert not (data / "postgres").exists()
        assert not (data / "valkey").exists()
    finally:
        site.stop()
