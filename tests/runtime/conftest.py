"""Real sites on data folders and ports of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

import config
from app.runtime.port import free_port
from app.runtime.site import OWN_SETTINGS, Site
from tests.runtime.processes import kill_tree
from tests.runtime.standin import write_standin

Run = subprocess.CompletedProcess[str]


@pytest.fixture
def data() -> Iterator[Path]:
    """Give a data folder with a short path, and leave nothing of it."""
    with temporary_data() as folder:
        yield folder


@pytest.fixture(scope="session")
def standin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a project root that starts faster than the application."""
    return write_standin(tmp_path_factory.mktemp("project") / "standin")


@pytest.fixture(scope="module")
def shared_site(standin: Path) -> Iterator[Site]:
    """Keep one site of the stand-in for the tests of a file."""
    with temporary_data() as folder:
        site = Site(folder, root=standin)
        yield site
        site.stop()


@pytest.fixture
def site(shared_site: Site) -> Site:
    """Give a site that runs, whatever the test before did to it."""
    if not shared_site.alive:
        shared_site.start()
    return shared_site


@contextmanager
def temporary_data() -> Iterator[Path]:
    """Give a folder for data; afterwards kill what still works there and remove it."""
    # Not tmp_path: each new pytest run closes that to other users, and Postgres is one when we are root.
    above = Path(tempfile.mkdtemp(prefix="freshet-")).resolve()
    folder = above / "data"
    try:
        yield folder
    finally:
        kill_tree(folder)
        shutil.rmtree(config.socket_folder(folder), ignore_errors=True)
        shutil.rmtree(above)


@pytest.fixture
def start(data: Path, standin: Path) -> Callable[..., Run]:
    """Give a function that starts a site which is expected to give up, and returns what it said."""

    def start(env: Mapping[str, str] | None = None, *, root: Path = standin) -> Run:
        inherited = {name: value for name, value in os.environ.items() if name not in OWN_SETTINGS}
        settings = {"FRESHET_DATA": str(data), "PORT": str(free_port())}
        command = [sys.executable, "-m", "app.runtime", "--root", str(root)]
        return subprocess.run(
            command,
            env={**inherited, **settings, **(env or {})},
            cwd=config.ROOT,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return start


def query(data: Path, statement: str) -> list[tuple[object, ...]]:
    """Run a statement in the site's own database."""
    url = config.embedded_database_url(data).replace("+psycopg", "")
    with psycopg.connect(url) as connection:
        cursor = connection.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []
