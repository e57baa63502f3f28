"""The web server as the product starts it, on a free port of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import config
from app.runtime.port import free_port, is_healthy
from app.runtime.process import Process, wait_until
from app.runtime.settings import Settings
from app.runtime.startup import _web_server

ADDRESS = "127.0.0.1"
SECONDS_TO_SERVE = 60.0


@dataclass(frozen=True)
class WebSite:
    """A running web server that can be killed."""

    process: Process
    port: int

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.port}"


@contextmanager
def web_site(application: str = "wsgi:app", *, env: Mapping[str, str] | None = None) -> Iterator[WebSite]:
    """Serve `application` with one worker for the length of the block, on the servers that the environment names."""
    port = free_port()
    settings = Settings.load(config.ROOT, {**os.environ, "PORT": str(port), "WEB_WORKERS": "1"})
    process = _web_server(settings, ADDRESS)
    process.argv = [*process.argv[:-1], application]
    # What a test before has set on the site is not remembered.
    ours = {"PORT": str(port), "SITE_SETTINGS_SECONDS": "0"}
    process.env = {**settings.child_environment(), **ours, **(env or {})}
    process.log = settings.data / "log" / f"web-{port}.log"
    process.launch()
    try:
        served = wait_until(lambda: is_healthy(ADDRESS, port), process=process, seconds=SECONDS_TO_SERVE)
        assert served, "\n".join(["The web server did not start.", *process.log_lines()])
        yield WebSite(process, port)
    finally:
        process.kill()
