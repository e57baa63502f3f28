"""The real worker, `worker.py work`, and a clock for what it works off."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

import psycopg
from flask import Flask
from redis import Redis
from rq import Queue

import config
from app.accounts.models import User
from app.extensions import db
from app.outbox.queue import queue_on
from app.posts.writing.operations import publish_post
from app.runtime import startup
from app.runtime.process import Process
from app.runtime.settings import Settings
from bench.cpu import Spent, spend
from bench.data import plain_url
from bench.load import WrongAnswer
from bench.stage import Stage

LOOK_EVERY_SECONDS = 0.005
PATIENCE_SECONDS = 60.0


def nothing() -> None:
    """Do nothing: the job that everything else is compared with."""


@dataclass(frozen=True)
class Worker:
    """A worker process that can be held back until its work is laid out."""

    process: Process
    servers: Sequence[int]  # processes that work for it
    redis: Redis
    database: psycopg.Connection

    @property
    def queue(self) -> Queue:
        """Return the queue that it works off."""
        return queue_on(self.redis)

    def enqueue_nothing(self) -> str:
        """Add an empty job with the settings of a real one; return where its record is until it is done."""
        job = self.queue.enqueue("bench.workers.nothing", result_ttl=0, failure_ttl=3600)
        return str(job.key)

    def settle(self) -> None:
        """Wait until it has nothing left to do: an empty job comes last."""
        key = self.enqueue_nothing()
        self.wait_for(lambda: not self.redis.exists(key))

    def finish(self, done: Callable[[], bool]) -> Spent:
        """Let the worker go on and return what it and the servers took until all is done."""

        def work() -> None:
            self.process.resume()
            self.wait_for(done)

        return spend(work, self.process.pid, *self.servers, here=False)

    def outbox_is_empty(self) -> bool:
        """Say whether every post has reached its last follower, and that is committed; a post put off is a failure."""
        row = self.database.execute("SELECT count(*), max(last_error) FROM outbox").fetchone()
        assert row is not None
        if row[1]:
            raise WrongAnswer("the worker put a post off: " + "\n".join([row[1], *self.process.log_lines()]))
        return bool(row[0] == 0)

    def wait_for(self, done: Callable[[], bool]) -> None:
        """Look every few milliseconds, seldom enough to take nothing from the worker."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not done():
            if not self.process.alive or time.monotonic() > deadline:
                raise WrongAnswer("the worker does not work its queue off\n" + "\n".join(self.process.log_lines()))
            time.sleep(LOOK_EVERY_SECONDS)


@contextmanager
def working(stage: Stage) -> Iterator[Worker]:
    """Run a worker for the length of the block, as `make run` does, idle at the beginning."""
    stage.discard_work()
    process = startup._program("worker", Settings.load(config.ROOT, os.environ), "worker.py", "work")
    with closing(psycopg.connect(plain_url(stage.servers.database_url), autocommit=True)) as database:
        try:
            process.launch()
            servers = [stage.servers.postgres.pid, stage.servers.valkey.pid]
            worker = Worker(process, servers, stage.redis, database)
            worker.settle()
            yield worker
        finally:
            process.stop()


def publish(app: Flask, author_ids: Sequence[int]) -> list[int]:
    """Publish posts as the composer's route does, each in a transaction of its own; return their ids."""
    post_ids = []
    with app.app_context():
        for number, author_id in enumerate(author_ids):
            author = db.session.get_one(User, author_id)
            post_ids.append(publish_post(f"Another thought, number {number}", by=author, longest=500))
            db.session.commit()
    return post_ids
