"""Places at which a process of the site kills itself when a test has asked for it: a moment that is certain, not lucky.

A site on the project root that `write_root` makes is the real one, with these seams in its web and worker processes.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import config
from app.core import redis
from app.feed.timelines import fanout, transport
from app.outbox import queue, running

# Where the seams are. Each name is the moment at which the process dies.
WEB_BEFORE_HINT = "web, after its commit, before it tells a worker"
WORKER_BEFORE_HINT = "worker, after the commit of a slice, before it tells itself of the next"
WORKER_BETWEEN_TRIPS = "worker, between two round trips of a batch"
WORKER_BEFORE_COMMIT = "worker, after the pushes of a batch, before its commit"

# Small, so that eighty followers are several slices, and a few posts several round trips.
SLICE = 30
COMMANDS_PER_TRIP = 1
# Longer than in earnest: a Valkey that waits for the processor on a busy machine is not away.
REDIS_TIMEOUT = 1.0

WSGI = """
import runpy, config
from tests.faults import seams
seams.cut_web()
app = runpy.run_path(str(config.ROOT / "wsgi.py"))["app"]
"""

WORKER = """
import runpy, config
from tests.faults import seams
seams.cut_worker()
runpy.run_path(str(config.ROOT / "worker.py"), run_name="__main__")
"""


def write_root(root: Path) -> Path:
    """Write a project root whose programs are the real ones with seams, and return it."""
    root.mkdir(parents=True)
    (root / "wsgi.py").write_text(WSGI)
    (root / "worker.py").write_text(WORKER)
    for name in ("alembic.ini", "migrations"):
        (root / name).symlink_to(config.ROOT / name)
    return root


def arm(data: Path, moment: str, *, passes: int = 0) -> None:
    """Have the next process of the site on `data` that comes to this moment die there, after so many passes."""
    order = _order(data, moment)
    order.parent.mkdir(exist_ok=True)
    order.write_text(str(passes))


def disarm(data: Path) -> None:
    """Take back whatever was asked for and did not happen."""
    shutil.rmtree(data / "seams", ignore_errors=True)


def has_died(data: Path, moment: str) -> bool:
    """Say whether somebody came to the moment."""
    return not _order(data, moment).exists()


def cut_web() -> None:
    """Put the seam into a web process."""
    redis.connect = _waiting_longer(redis.connect)
    queue.enqueue = _dies_before(queue.enqueue, WEB_BEFORE_HINT)


def cut_worker() -> None:
    """Put the seams into a worker, but not into the scheduler, which is the same program."""
    if "work" in sys.argv:
        fanout.SLICE, transport.COMMANDS_PER_TRIP = SLICE, COMMANDS_PER_TRIP
        transport._write = _dies_before(transport._write, WORKER_BETWEEN_TRIPS)
        running._finish = _dies_before(running._finish, WORKER_BEFORE_COMMIT)
        queue.enqueue = _dies_before(queue.enqueue, WORKER_BEFORE_HINT)


def _dies_before(call: Callable[..., Any], moment: str) -> Callable[..., Any]:
    def die_or_call(*args: Any, **kwargs: Any) -> Any:
        _die_if_asked(moment)
        return call(*args, **kwargs)

    return die_or_call


def _waiting_longer(connect: Callable[..., Any]) -> Callable[..., Any]:
    return lambda url, **options: connect(url, **options | {"timeout": REDIS_TIMEOUT})


def _die_if_asked(moment: str) -> None:
    order = _order(config.data_folder(), moment)
    if not order.exists():
        return
    passes = int(order.read_text())
    if passes:
        order.write_text(str(passes - 1))
        return
    order.unlink()  # once only
    os.kill(os.getpid(), signal.SIGKILL)


def _order(data: Path, moment: str) -> Path:
    return data / "seams" / moment
