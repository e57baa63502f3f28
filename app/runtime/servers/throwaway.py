"""Servers for tests: in a temporary folder, fast rather than durable, gone with the process that asked for them."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import config
from app.runtime.servers.folders import make_data_folder
from app.runtime.servers.postgres import Postgres
from app.runtime.servers.postgres import program as postgres_program
from app.runtime.servers.valkey import Valkey
from app.runtime.servers.valkey import program as valkey_program
from app.runtime.service_user import open_way, service_user

# Reads until the other end of the pipe is closed, which death closes too, whatever the cause.
REMOVE_WHEN_ALONE = 'cat; for i in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$0" "$1" && break; sleep 0.2; done'


@dataclass(frozen=True)
class EphemeralServers:
    """A Postgres and a Valkey that nobody will miss, with handles to stop, kill, pause and start each."""

    data: Path
    postgres: Postgres
    valkey: Valkey

    @property
    def database_url(self) -> str:
        """Return the address of the empty database `freshet`."""
        return config.embedded_database_url(self.data)

    @property
    def redis_url(self) -> str:
        """Return the address of the Valkey."""
        return config.embedded_redis_url(self.data)


@contextmanager
def ephemeral_servers() -> Iterator[EphemeralServers]:
    """Run both servers for the length of the block and remove every trace of them afterwards."""
    # Enter it in the main thread: the servers end with the thread that started them.
    user = service_user()
    with ExitStack() as cleanup:
        data = _temporary_folder(cleanup)
        open_way(user, data / "postgres", Path(postgres_program("postgres")), Path(valkey_program()))
        make_data_folder(data)
        servers = EphemeralServers(data, Postgres(data, user, throwaway=True), Valkey(data, user, throwaway=True))
        cleanup.callback(servers.postgres.kill)
        cleanup.callback(servers.valkey.kill)
        servers.valkey.start()
        servers.postgres.start()
        yield servers


def _temporary_folder(cleanup: ExitStack) -> Path:
    """Create a folder with a short name that is removed even if this process is killed."""
    data = Path(tempfile.mkdtemp(prefix="freshet-")).resolve()
    sockets = config.socket_folder(data)
    janitor = subprocess.Popen(
        ["sh", "-c", REMOVE_WHEN_ALONE, str(data), str(sockets)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    cleanup.callback(janitor.communicate)
    cleanup.callback(shutil.rmtree, sockets, ignore_errors=True)
    cleanup.callback(shutil.rmtree, data, ignore_errors=True)
    return data
