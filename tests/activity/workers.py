"""The product's own worker processes, and how to wait for what they do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import IO

from flask import Flask
from sqlalchemy import func, select

from app.extensions import db
from app.outbox.models import OutboxRow
from config import ROOT


class Workers:
    """Processes of `worker.py` that end with the test."""

    def __init__(self) -> None:
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, command: str, *, log: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
        env = {**os.environ, "OUTBOX_LEASE_SECONDS": "1"}
        process = subprocess.Popen([sys.executable, "worker.py", command], cwd=ROOT, env=env, stdout=log, stderr=log)
        self.running.append(process)
        return process

    def end(self) -> None:
        for process in self.running:
            if process.poll() is None:
                process.kill()
            process.wait()


def eventually(app: Flask, holds: Callable[[], bool], *, seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with app.app_context():
            if holds():
                return
        time.sleep(0.02)
    raise AssertionError("it did not happen in time")


def nothing_open() -> bool:
    return db.session.scalar(select(func.count()).select_from(OutboxRow)) == 0
