"""A whole site as one process to start and stop: for tests, measurements and demos."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import config
from app.runtime.failure import StartFailure
from app.runtime.port import free_port
from app.runtime.process import Process, wait_until
from app.runtime.servers.folders import make_data_folder

SECONDS_TO_START = 90.0
OWN_SETTINGS = ("DATABASE_URL", "REDIS_URL", "HOST", "PORT", "FRESHET_DATA")


class Site(Process):
    """What `make run` starts, on a data folder and a free port of its own."""

    def __init__(
        self,
        data: Path,
        *,
        root: Path = config.ROOT,
        env: Mapping[str, str] | None = None,
        before_web: str | None = None,
    ) -> None:
        self.data = data.resolve()
        self.port = free_port()
        inherited = {name: value for name, value in os.environ.items() if name not in OWN_SETTINGS}
        super().__init__(
            "site",
            [
                sys.executable,
                "-m",
                "app.runtime",
                "--root",
                str(root),
                *(["--before-web", before_web] if before_web else []),
            ],
            log=self.data / "log" / "console.log",
            env={**inherited, "FRESHET_DATA": str(self.data), "PORT": str(self.port), **(env or {})},
            cwd=config.ROOT,
            stop_signal=signal.SIGINT,
            grace=60.0,
        )

    @property
    def url(self) -> str:
        """Return the site's address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def console(self) -> str:
        """Return what the last start has shown on its console so far."""
        return "\n".join(self.log_lines())

    def launch(self) -> None:
        """Start the site without waiting until it answers."""
        make_data_folder(self.data)
        super().launch()

    def start(self) -> None:
        """Start the site and return when it says that it is running."""
        self.launch()
        if not wait_until(lambda: "Freshet is running" in self.console, process=self, seconds=SECONDS_TO_START):
            self.stop()
            raise StartFailure("The site did not start.", self.log_lines())


@contextmanager
def running_site(data: Path, *, root: Path = config.ROOT, env: Mapping[str, str] | None = None) -> Iterator[Site]:
    """Run a whole site on `data` for the length of the block."""
    site = Site(data, root=root, env=env)
    try:
        site.start()
        yield site
    finally:
        site.stop()
