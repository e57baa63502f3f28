"""Web servers on free ports: the one that `make run` starts, and those it is compared with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import config
from app.runtime import startup
from app.runtime.failure import StartFailure
from app.runtime.port import free_port, is_healthy
from app.runtime.process import Process, wait_until
from app.runtime.settings import Settings
from bench.load import Ask, press

HOST = "127.0.0.1"
SITE, BARE = "wsgi:app", "bench.bare:app"
SECONDS_TO_SERVE = 60.0
WARM_UP_SECONDS = 0.5
WARM_UP_CONNECTIONS = 8  # enough that each worker gets some of them

# What else the site could be served by; as many workers as the one that it is served by.
GRANIANS = {"granian, 1 thread": {"--blocking-threads": "1"}}
GUNICORNS = {
    "gunicorn sync": ["--worker-class", "sync"],
    "gunicorn gthread": ["--worker-class", "gthread", "--threads", "1"],
}
GUNICORN = ["--backlog", "1024", "--graceful-timeout", "5", "--no-control-socket", "--log-level", "warning"]
RIVALS = (*GRANIANS, *GUNICORNS)


@dataclass(frozen=True)
class Server:
    """A web server that answers."""

    port: int
    pid: int


@contextmanager
def as_run(app: str, *, env: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Serve an application for the length of the block, with the server and settings of `make run`."""
    settings = _settings()
    process = _web_server(settings)
    process.argv = [*process.argv[:-1], app]
    yield from _serving(process, settings, env or {})


@contextmanager
def rival(name: str) -> Iterator[Server]:
    """Serve the site by another server, or with other options."""
    settings = _settings()
    if name in GUNICORNS:
        bind = ["--bind", f"{HOST}:{settings.port}", "--workers", str(settings.web_workers)]
        argv = [sys.executable, "-m", "gunicorn", *bind, *GUNICORNS[name], *GUNICORN, SITE]
        process = Process("web", argv, cwd=settings.root)
    else:
        process = _web_server(settings)
        options = [word for option in GRANIANS[name].items() for word in option]
        process.argv = [*process.argv[:-1], *options, SITE]  # said twice, the last one holds
    yield from _serving(process, settings, {})


def _web_server(settings: Settings) -> Process:
    return startup._web_server(settings, HOST)  # this very one: a copy of its options would grow apart from it


def _settings() -> Settings:
    return Settings.load(config.ROOT, {**os.environ, "PORT": str(free_port())})


def _serving(process: Process, settings: Settings, env: Mapping[str, str]) -> Iterator[Server]:
    process.log = settings.data / "log" / f"web-{settings.port}.log"
    process.env = {**settings.child_environment(), **env}
    try:
        process.launch()
        if not wait_until(lambda: is_healthy(HOST, settings.port), process=process, seconds=SECONDS_TO_SERVE):
            raise StartFailure("A web server did not start.", process.log_lines())
        press(settings.port, [Ask("/healthz")] * WARM_UP_CONNECTIONS, seconds=WARM_UP_SECONDS)
        yield Server(settings.port, process.pid)
    finally:
        process.stop()
