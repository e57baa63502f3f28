"""A worker says once that Redis is away and once that it is back, and keeps quiet about nothing else."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest
from flask import Flask

from app.extensions import redis
from app.runtime.servers import EphemeralServers
from tests.activity.workers import Workers, eventually
from worker import Outage

AWAY, BACK = "could not connect to Redis", "Redis is back"
OUTAGE_SECONDS = 5.0  # RQ's listening thread complains every two


def is_listening() -> bool:
    with redis.client() as client:
        return bool(client.info("clients")["blocked_clients"])


def test_an_outage_is_said_once(app: Flask, workers: Workers, servers: EphemeralServers, tmp_path: Path) -> None:
    said = tmp_path / "worker.log"
    with said.open("wb") as log:
        process = workers.start("work", log=log)
    eventually(app, is_listening, seconds=90)  # a busy machine takes its time to start Python
    servers.valkey.kill()
    try:
        eventually(app, lambda: AWAY in said.read_text())
        time.sleep(OUTAGE_SECONDS)
    finally:
        servers.valkey.start()
        redis.init_app(app)
    eventually(app, lambda: BACK in said.read_text())
    assert (said.read_text().count(AWAY), said.read_text().count(BACK)) == (1, 1)
    assert process.poll() is None


def test_each_outage_and_every_other_error_is_said(caplog: pytest.LogCaptureFixture) -> None:
    outage = Outage()
    rq = logging.getLogger("tests.rq")
    rq.addFilter(outage)
    for _ in range(2):
        rq.error("Worker %s: could not connect to Redis instance: %s", "w", "refused")
        rq.error("Worker %s: could not connect to Redis instance: %s", "w", "refused")
        rq.error("Worker %s: found an unhandled exception, quitting...", "w")
        outage.end()
        outage.end()
    assert [caplog.text.count(words) for words in (AWAY, "unhandled", BACK)] == [2, 2, 2]
