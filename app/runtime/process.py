"""One child process: in a session of its own, logging to a file, gone when its parent is gone."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.runtime.logs import lines_since, size_of
from app.runtime.service_user import ServiceUser

PR_SET_PDEATHSIG = 1
POLL_SECONDS = 0.02
ON_LINUX = sys.platform == "linux"
_libc = ctypes.CDLL(None)


@dataclass(eq=False)
class Process:
    """A program that can be started, stopped, killed, paused and started again."""

    name: str
    argv: Sequence[str]
    log: Path | None = None  # None: it writes to our own console
    env: Mapping[str, str] | None = None
    cwd: Path | None = None
    user: ServiceUser | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGTERM
    grace: float = 10.0
    shows_warnings: bool = True  # the supervisor repeats warnings from its log on the console
    _popen: subprocess.Popen[bytes] | None = field(default=None, init=False, repr=False)
    _log_start: int = field(default=0, init=False, repr=False)

    @property
    def pid(self) -> int:
        """Return the pid of the last launch."""
        assert self._popen is not None, f"{self.name} was never started"
        return self._popen.pid

    @property
    def alive(self) -> bool:
        """Say whether the program runs."""
        return self._popen is not None and self._popen.poll() is None

    @property
    def exit_code(self) -> int | None:
        """Return how the last launch ended; below zero is the number of a signal."""
        return self._popen.poll() if self._popen else None

    def launch(self) -> None:
        """Start the program without waiting until it is ready."""
        # Only the thread that launches keeps the child alive (PR_SET_PDEATHSIG counts threads): use the main one.
        output = None
        if self.log is not None:
            self._log_start = size_of(self.log)
            output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            self._popen = subprocess.Popen(
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self.env,
                cwd=self.cwd,
                # A session of its own: Ctrl-C in the terminal reaches only us, and we stop the children in order.
                start_new_session=True,
                preexec_fn=functools.partial(die_with, os.getpid(), self.orphan_signal),
                **(self.user.popen_arguments() if self.user else {}),
            )
        finally:
            if output is not None:
                os.close(output)

    def stop(self, *, hurried: Callable[[], bool] = lambda: False) -> None:
        """End the program politely, and by force once its grace is over or `hurried` says so."""
        if self.alive:
            os.kill(self.pid, self.stop_signal)
            os.kill(self.pid, signal.SIGCONT)  # a paused process could not hear the first one
            deadline = time.monotonic() + self.grace
            while self.alive and time.monotonic() < deadline and not hurried():
                time.sleep(POLL_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End the program and whatever it left behind, at once."""
        if self._popen is None:
            return
        for pid in _session(self._popen.pid):
            _send(pid, signal.SIGKILL)
        self._popen.wait()

    def pause(self) -> None:
        """Freeze the program: it keeps its connections and answers nothing."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused program go on."""
        os.kill(self.pid, signal.SIGCONT)

    def log_lines(self) -> list[str]:
        """Return what the last launch wrote to its log."""
        return lines_since(self.log, self._log_start) if self.log else []


def wait_until(ready: Callable[[], bool], *, process: Process, seconds: float) -> bool:
    """Wait for `ready`; answer False when the process dies or the time is over first."""
    deadline = time.monotonic() + seconds
    while process.alive and time.monotonic() < deadline:
        if ready():
            return True
        time.sleep(POLL_SECONDS)
    return False


def die_with(parent: int, last_signal: int) -> None:
    """Make Linux send `last_signal` to this process when its parent dies, even by kill -9."""
    # Runs between fork and exec, after the change of user: changing the user would take the wish back.
    if ON_LINUX:
        _libc.prctl(PR_SET_PDEATHSIG, last_signal)
        if os.getppid() != parent:  # it died before we asked
            os.kill(os.getpid(), signal.SIGKILL)


def _session(leader: int) -> list[int]:
    """Return the pids of the leader's session, which outlives it: a web server's or a job's subprocesses."""
    if not ON_LINUX:
        return [leader]
    pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    return [pid for pid in pids if _session_of(pid) == leader]


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except ProcessLookupError:
        return None


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
