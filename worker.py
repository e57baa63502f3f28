"""The processes behind the web: `worker.py work` does jobs; `worker.py schedule` sweeps, keeps time, runs errands."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from types import FrameType

from flask import Flask
from redis.client import Pipeline
from rq import SimpleWorker
from rq.job import Job
from rq.queue import Queue
from sqlalchemy.exc import OperationalError

from app import create_app, subscribers
from app.core.redis import connect
from app.extensions import db
from app.outbox import errands, schedule, sweeper
from app.outbox.queue import queue_on

log = logging.getLogger("worker")

SWEEP_EVERY_SECONDS = 1.0
ERRAND_RUNNERS = 3  # threads: a server that keeps one of them waiting does not keep the others
PATIENCE_SECONDS = 5.0  # nobody waits for a worker, and a busy Redis is not a dead one


class Outage(logging.Filter):
    """Let RQ say once that Redis is away, not every two seconds; say once that it is back."""

    RQ_SAYS = "could not connect to Redis"

    def __init__(self) -> None:
        super().__init__()
        self._away = False
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        return self.RQ_SAYS not in str(record.msg) or self._turns(away=True)

    def end(self) -> None:
        """Note that Redis has answered."""
        if self._turns(away=False):
            log.warning("Redis is back")

    def _turns(self, *, away: bool) -> bool:
        """Note that Redis is away or back, and return whether that is news: RQ asks from two threads."""
        with self._lock:
            is_news, self._away = self._away != away, away
        return is_news


class FreshetWorker(SimpleWorker):
    """RQ's worker without a fork per job (four times as many jobs a second), each job in an app context of its own."""

    app: Flask
    outage: Outage

    def perform_job(self, job: Job, queue: Queue) -> bool:
        with self.app.app_context():
            return super().perform_job(job, queue)

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        super().heartbeat(timeout, pipeline)
        if pipeline is None:  # otherwise nothing was sent yet
            self.outage.end()


def work(app: Flask) -> None:
    """Do jobs until told to stop. When Redis dies under us we quit, and the supervisor starts us again."""
    # No read timeout: the worker waits in a blocking pop, and RQ's own heartbeat ends that wait in time.
    client = connect(app.config["REDIS_URL"], timeout=None)
    FreshetWorker.app, FreshetWorker.outage = app, Outage()
    worker = FreshetWorker([queue_on(client)], connection=client, prepare_for_work=True)
    worker.log.addFilter(worker.outage)
    worker.work(logging_level="WARNING")


def keep_schedule(app: Flask, stop: threading.Event) -> None:
    """Sweep the outbox every second and run what is due. Not in Redis, so that losing Redis loses nothing."""
    while not stop.wait(SWEEP_EVERY_SECONDS):
        try:
            with app.app_context():
                sweeper.sweep()
                schedule.run_due(subscribers.RECURRING)
        except OperationalError as error:
            log.warning("Postgres does not answer, trying again: %s", error.orig)
            with app.app_context():
                db.engine.dispose()
            time.sleep(SWEEP_EVERY_SECONDS)


def run_errands(app: Flask, stop: threading.Event, *, slow_ones_too: bool = True) -> None:
    """Do what waits for servers of other people, one after the other."""
    while not stop.is_set():
        try:
            with app.app_context():
                found = errands.run_next(slow_ones_too=slow_ones_too)
        except Exception as error:  # Postgres may be away for a while; this thread must not be
            log.warning("errands wait for a moment: %s", error)
            found = False
        if not found:
            stop.wait(SWEEP_EVERY_SECONDS)


def _start_errands(app: Flask, stop: threading.Event) -> None:
    """Start the threads for errands, one of them for quick ones. They end with the process: the rest stays open."""
    for number in range(ERRAND_RUNNERS):
        which, name = {"slow_ones_too": number > 0}, f"errands-{number}"
        threading.Thread(target=run_errands, args=(app, stop), kwargs=which, name=name, daemon=True).start()


def _stop_on_signals() -> threading.Event:
    stop = threading.Event()

    def ask_to_stop(signum: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, ask_to_stop)
    signal.signal(signal.SIGINT, ask_to_stop)
    return stop


def main(command: str) -> int:
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    if command == "work":
        work(create_app(REDIS_TIMEOUT=PATIENCE_SECONDS))
    elif command == "schedule":
        app, stop = create_app(), _stop_on_signals()
        _start_errands(app, stop)
        keep_schedule(app, stop)
    else:
        print("usage: worker.py work | schedule", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
