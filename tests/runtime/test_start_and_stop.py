"""The whole way from nothing to a site and back."""

from __future__ import annotations

import os
import pty
import select
import signal
import sys
from pathlib import Path
from urllib.request import urlopen

import config
from app.runtime.port import free_port
from app.runtime.site import OWN_SETTINGS, Site
from tests.runtime.processes import eventually, processes_of
from tests.runtime.standin import write_standin

PARTS = {"bin/postgres", "valkey-server", "granian", "worker.py work", "worker.py schedule"}


def test_fresh_start_answers_and_ctrl_c_leaves_nothing_running(data: Path) -> None:
    site = Site(data)  # the application itself
    try:
        site.start()
        with urlopen(f"{site.url}/healthz", timeout=30) as response:
            assert response.status == 200
        eventually(lambda: _parts(data) == PARTS)
        _stop_and_check(site)
        migrations = (data / "log" / "migrations.log").stat()
        site.start()
        # What makes a second start quick: no new cluster, no migration.
        assert "Postgres 18 on its own data" in site.console
        assert (data / "log" / "migrations.log").stat() == migrations
    finally:
        site.stop()


def test_command_before_the_web_finds_the_finished_database(data: Path, standin: Path) -> None:
    count = f"{sys.executable} -c \"import psycopg, os; url = os.environ['DATABASE_URL'].replace('+psycopg', ''); "
    count += "print('notes:', psycopg.connect(url).execute('SELECT count(*) FROM note').fetchone())\""
    site = Site(data, root=standin, before_web=count)
    try:
        site.start()
        before, _, _ = site.console.partition("Web server")
        assert "notes: (0,)" in before
    finally:
        site.stop()


def test_sigterm_stops_everything_too(site: Site) -> None:
    site.stop_signal = signal.SIGTERM
    _stop_and_check(site)


def test_ctrl_c_during_the_start_leaves_nothing_running(data: Path, tmp_path: Path) -> None:
    slow = write_standin(tmp_path / "slow", migrations="import time; time.sleep(60)")
    site = Site(data, root=slow)
    site.launch()
    eventually(lambda: any("alembic" in command for command in processes_of(data).values()))
    _stop_and_check(site)
    assert "Traceback" not in site.console


def test_servers_listen_on_no_port(site: Site) -> None:
    listening = _listening_inodes()
    for pid, command in processes_of(site.data).items():
        if "postgres" in command or "valkey" in command:
            assert not listening & _sockets(pid), command


def test_ctrl_c_in_a_terminal_shows_no_traceback(data: Path, standin: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        _become_site(data, standin)
    shown = _read_until(terminal, "Ctrl-C stops it")
    os.write(terminal, b"\x03")
    shown += _read_until(terminal, "Stopped.")
    _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Traceback" not in shown
    assert "\x1b[32m✓" in shown
    assert processes_of(data) == {}


def _stop_and_check(site: Site) -> None:
    site.stop()
    assert site.exit_code == 0, site.console
    assert "Stopped." in site.console
    assert processes_of(site.data) == {}


def _parts(data: Path) -> set[str]:
    commands = processes_of(data).values()
    return {part for part in PARTS if any(part in command for command in commands)}


def _become_site(data: Path, root: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if name not in OWN_SETTINGS}
    os.chdir(config.ROOT)
    command = [sys.executable, "-m", "app.runtime", "--root", str(root)]
    os.execve(sys.executable, command, {**inherited, "FRESHET_DATA": str(data), "PORT": str(free_port())})


def _read_until(terminal: int, words: str) -> str:
    shown = b""
    while words not in shown.decode(errors="replace"):
        ready, _, _ = select.select([terminal], [], [], 30)
        assert ready, shown
        shown += os.read(terminal, 4096)
    return shown.decode()


def _listening_inodes() -> set[str]:
    listening = "0A"
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    rows = [line.split() for table in tables if table.exists() for line in table.read_text().splitlines()[1:]]
    return {row[9] for row in rows if row[3] == listening}


def _sockets(pid: int) -> set[str]:
    links = [os.readlink(entry) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()]
    return {link[len("socket:[") : -1] for link in links if link.startswith("socket:[")}
