"""A whole site of real processes, with people in it, to be hurt."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from redis import Redis

import config
from app.runtime.logs import lines_since
from app.runtime.site import Site, running_site
from tests.faults.seams import write_root
from tests.faults.visitor import Visitor
from tests.runtime.conftest import query, temporary_data
from tests.runtime.processes import eventually, pid_of, processes_of

AWAY, BACK = "Redis is away", "Redis is back"  # what a process says of it in its log
READERS = 80
FOLLOWERS = READERS + 1  # and Bob
# The sweeper acts after a second; one web process, so that what happens once per process can be counted. Rate limits
# are on, for they use Valkey, too: an author has 20 posts a minute for all tests together.
SETTINGS = {
    "OUTBOX_LEASE_SECONDS": "1",
    "WEB_WORKERS": "1",
    "FRESHET_RATE_LIMITS": "on",
    "PYTHONPATH": str(config.ROOT),
}

MAKE_READERS = f"""
WITH new AS (
    INSERT INTO users (handle, name, email, password_hash)
    SELECT 'reader_' || n, 'Reader ' || n, 'reader_' || n || '@example.org', '-' FROM generate_series(1, {READERS}) AS n
    RETURNING id)
INSERT INTO user_counters (user_id) SELECT id FROM new
"""
MAKE_FOLLOWS = """
INSERT INTO follows (follower_id, followed_id)
SELECT reader.id, author.id FROM users AS reader, users AS author
WHERE reader.handle LIKE 'reader\\_%' AND author.handle IN ('alice', 'dana')
"""


@dataclass(frozen=True)
class LogFromHere:
    """What a program has written to its log since a moment."""

    path: Path
    start: int

    def count(self, words: str) -> int:
        return "\n".join(lines_since(self.path, self.start)).count(words)


@dataclass(frozen=True)
class Town:
    """Alice and Dana write, Bob and many others follow both of them, and nobody follows Carol."""

    site: Site
    alice: Visitor
    dana: Visitor
    bob: Visitor
    carol: Visitor

    def pid(self, words: str) -> int:
        """Return the pid of one of the site's processes."""
        return pid_of(self.site.data, words)

    def runs(self, words: str) -> bool:
        """Say whether one of the site's processes is there."""
        return any(words in command for command in processes_of(self.site.data).values())

    def kill(self, words: str) -> None:
        os.kill(self.pid(words), signal.SIGKILL)

    @contextmanager
    def paused(self, *programs: str) -> Iterator[None]:
        """Freeze some of the site's processes for the length of the block."""
        pids = [self.pid(words) for words in programs]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)

    def query(self, statement: str) -> list[tuple[object, ...]]:
        return query(self.site.data, statement)

    def web_connections(self) -> int:
        """Count the connections to Postgres that the site's processes keep."""
        others = (
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        [(count,)] = self.query(others)
        assert isinstance(count, int)
        return count

    @contextmanager
    def valkey(self) -> Iterator[Redis]:
        """Look into the site's Valkey over a connection of our own."""
        client = Redis.from_url(config.embedded_redis_url(self.site.data))
        try:
            yield client
        finally:
            client.close()

    def open_rows(self) -> int:
        [(count,)] = self.query("SELECT count(*) FROM outbox")
        assert isinstance(count, int)
        return count

    def come_to_rest(self) -> None:
        """Wait until no outbox row is open, which nobody but the site itself brings about."""
        eventually(lambda: self.open_rows() == 0, seconds=30)

    def hints(self) -> int:
        """Count how often somebody has put a job into a queue since Valkey was started."""
        with self.valkey() as client:
            commands = client.info("commandstats")
        return sum(commands[name]["calls"] for name in ("cmdstat_rpush", "cmdstat_lpush") if name in commands)

    def homes_with(self, post_id: int) -> int:
        """Count the home timelines in Valkey that have a post."""
        with self.valkey() as client:
            homes = list(client.scan_iter("home:*", count=1000))
            pipeline = client.pipeline(transaction=False)
            for home in homes:
                pipeline.zscore(home, str(post_id))
            return sum(score is not None for score in pipeline.execute())

    def verify(self) -> None:
        """Run `flask feed verify --all`: every page of every feed. A home that was cold is warm afterwards."""
        data = self.site.data
        servers = {
            "DATABASE_URL": config.embedded_database_url(data),
            "REDIS_URL": config.embedded_redis_url(data),
            "FRESHET_DATA": str(data),
        }
        command = [sys.executable, "-m", "flask", "--app", "wsgi", "feed", "verify", "--all"]
        done = subprocess.run(
            command, cwd=config.ROOT, env={**os.environ, **servers}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{READERS + 4} feeds compared, 0 differences." in done.stdout

    def log_of(self, program: str) -> LogFromHere:
        """Return a program's log, from its present end onwards."""
        path = self.site.data / "log" / f"{program}.log"
        return LogFromHere(path, path.stat().st_size)


@contextmanager
def running_town() -> Iterator[Town]:
    """Run a town for the length of the block; every home is warm."""
    with temporary_data() as data:
        root = write_root(data.parent / "root")
        with running_site(data, root=root, env=SETTINGS) as site:
            town = Town(site, *(Visitor(site.url, handle) for handle in ("alice", "dana", "bob", "carol")))
            town.alice.sign_up("/setup")
            for visitor in (town.dana, town.bob, town.carol):
                visitor.sign_up()
            for author in (town.alice, town.dana):
                town.bob.follow(author)
            query(data, MAKE_READERS)
            query(data, MAKE_FOLLOWS)
            eventually(lambda: town.runs("worker.py work") and town.runs("worker.py schedule"))
            town.come_to_rest()
            town.verify()
            yield town
