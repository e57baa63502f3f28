"""Look at real processes from outside, the way an administrator would."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path


def processes_of(data: Path) -> dict[int, str]:
    """Return pid and command line of every process that works for the site on `data`."""
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return {pid: _command(pid) for pid in pids if _works_for(pid, data)}


def pid_of(data: Path, words: str) -> int:
    """Return the pid of the one process of the site whose command line contains `words`."""
    found = [pid for pid, command in processes_of(data).items() if words in command]
    assert found, f"no process with {words!r} among {processes_of(data)}"
    return min(found)


def kill_tree(data: Path) -> None:
    """Kill every process of the site at once, as a power cut would."""
    for pid in processes_of(data):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    eventually(lambda: not processes_of(data))


def eventually(holds: Callable[[], object], *, seconds: float = 60.0) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def _works_for(pid: int, data: Path) -> bool:
    # Postgres's processes overwrite their command line and environment, but they all work in its folder.
    mark = os.fsencode(data)
    return mark in _read(pid, "cmdline") or mark in _environment(pid) or _folder(pid).startswith(str(data))


def _environment(pid: int) -> bytes:
    # Our own environment does not count, nor does that of the test run's other children.
    entries = _read(pid, "environ").split(b"\0")
    return b"\0".join(entry for entry in entries if entry.startswith(b"FRESHET_DATA="))


def _command(pid: int) -> str:
    return _read(pid, "cmdline").replace(b"\0", b" ").decode(errors="replace").strip()


def _folder(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
