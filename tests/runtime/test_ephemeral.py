"""Servers for tests: their handles, and that nothing of them stays."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

import config
from app.runtime.servers import EphemeralServers, Postgres, Valkey, ephemeral_servers
from app.runtime.servers.folders import make_data_folder
from app.runtime.service_user import open_way, service_user
from tests.runtime.conftest import query
from tests.runtime.processes import eventually, processes_of

COMMAND = [sys.executable, "-m", "app.runtime.ephemeral"]


@pytest.fixture(scope="module")
def servers() -> Iterator[EphemeralServers]:
    with ephemeral_servers() as servers:
        yield servers
    assert not servers.data.exists()
    assert processes_of(servers.data) == {}


def test_command_gets_the_addresses_and_gives_its_exit_code() -> None:
    script = 'test -d "$FRESHET_DATA" && echo "$DATABASE_URL $REDIS_URL"; exit 7'
    run = subprocess.run([*COMMAND, "sh", "-c", script], cwd=config.ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 7
    assert run.stdout.startswith("postgresql+psycopg://freshet@/freshet?host=")
    assert " unix:///" in run.stdout


def test_command_that_does_not_exist() -> None:
    run = subprocess.run([*COMMAND, "no-such-command"], cwd=config.ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 127
    assert "There is no command no-such-command." in run.stderr


@pytest.mark.parametrize("last_signal", [signal.SIGTERM, signal.SIGKILL])
def test_servers_and_folder_go_with_the_process_that_asked_for_them(last_signal: signal.Signals) -> None:
    script = 'echo "$FRESHET_DATA"; exec sleep 60'
    run = subprocess.Popen([*COMMAND, "sh", "-c", script], cwd=config.ROOT, stdout=subprocess.PIPE, text=True)
    assert run.stdout is not None
    data = Path(run.stdout.readline().strip())
    sleeper = next(pid for pid, command in processes_of(data).items() if command == "sleep 60")
    run.send_signal(last_signal)
    run.wait()
    eventually(lambda: not data.exists())
    if last_signal == signal.SIGKILL:
        os.kill(sleeper, signal.SIGKILL)  # the command is not ours to end
    eventually(lambda: not processes_of(data))


def test_valkey_can_be_killed_and_started(servers: EphemeralServers) -> None:
    client = redis.Redis.from_url(servers.redis_url)
    client.set("key", "value")
    servers.valkey.kill()
    with pytest.raises(redis.ConnectionError):
        client.ping()
    servers.valkey.start()
    assert client.get("key") is None


def test_valkey_can_be_paused_and_resumed(servers: EphemeralServers) -> None:
    hasty = redis.Redis.from_url(servers.redis_url, socket_timeout=0.1)
    servers.valkey.pause()
    with pytest.raises(redis.TimeoutError):
        hasty.ping()
    servers.valkey.resume()
    assert redis.Redis.from_url(servers.redis_url).ping()


def test_postgres_can_be_stopped_and_started(servers: EphemeralServers) -> None:
    query(servers.data, "CREATE TABLE IF NOT EXISTS note (text text)")
    query(servers.data, "INSERT INTO note VALUES ('kept')")
    servers.postgres.stop()
    with pytest.raises(psycopg.OperationalError):
        query(servers.data, "SELECT 1")
    servers.postgres.start()
    assert query(servers.data, "SELECT text FROM note") == [("kept",)]


def test_postgres_can_be_killed_with_open_connections(servers: EphemeralServers) -> None:
    with psycopg.connect(servers.database_url.replace("+psycopg", "")):
        servers.postgres.kill()
        servers.postgres.start()
    assert query(servers.data, "SELECT 1") == [(1,)]


def test_database_compares_and_folds_utf8_the_same_everywhere(servers: EphemeralServers) -> None:
    assert query(servers.data, "SELECT lower('ÄÉ'), 'a' < 'B', current_user, current_database()") == [
        ("äé", False, "freshet", "freshet")
    ]


def test_long_data_path_puts_the_sockets_elsewhere(data: Path) -> None:
    deep = data / ("long" * 30)
    user = service_user()
    make_data_folder(deep)
    open_way(user, deep / "postgres")
    postgres, valkey = Postgres(deep, user, throwaway=True), Valkey(deep, user, throwaway=True)
    try:
        postgres.start()
        valkey.start()
        assert query(deep, "SELECT 1") == [(1,)]
        assert redis.Redis.from_url(config.embedded_redis_url(deep)).ping()
        assert config.socket_folder(deep).parent == Path(tempfile.gettempdir())
        assert config.socket_folder(deep).stat().st_mode & 0o777 == 0o700
    finally:
        valkey.kill()
        postgres.kill()
        shutil.rmtree(config.socket_folder(deep))
