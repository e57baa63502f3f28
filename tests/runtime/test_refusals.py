"""Every start that cannot work ends with one sentence, exit code 1 and nothing running."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from app.runtime.site import Site
from tests.runtime.conftest import Run
from tests.runtime.processes import processes_of
from tests.runtime.standin import write_standin

Start = Callable[..., Run]


def test_taken_port(start: Start) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        run = start({"PORT": str(port)})
    assert run.returncode == 1
    assert f"PORT {port} is taken by another program. Choose another one: PORT={port + 1} make run" in run.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "http", "PORT must be a whole number from 1 to 65535, not 'http'"),
        ("HOST", "192.0.2.1", "HOST=192.0.2.1 "),
        ("DATABASE_URL", "mysql://u:sesame@127.0.0.1/x", "DATABASE_URL must be the address of a Postgres database"),
        ("DATABASE_URL", "postgresql://u:sesame@127.0.0.1:1/x", "DATABASE_URL does not work. Postgres: connection to"),
        ("REDIS_URL", "http://:sesame@127.0.0.1", "REDIS_URL must be the address of a Redis or Valkey"),
    ],
)
def test_setting_that_cannot_work(start: Start, data: Path, name: str, value: str, sentence: str) -> None:
    run = start({name: value})
    assert run.returncode == 1
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr
    assert "sesame" not in run.stdout + run.stderr
    assert processes_of(data) == {}


def test_data_folder_that_cannot_be_written(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = start({"FRESHET_DATA": str(tmp_path / "file" / "data")})
    assert run.returncode == 1
    assert "cannot be written to (Not a directory). Choose another: FRESHET_DATA=" in run.stderr


def test_second_start_on_the_same_data(start: Start, site: Site) -> None:
    run = start({"FRESHET_DATA": str(site.data)})
    assert run.returncode == 1
    assert f"Freshet already runs on {site.data} (process {site.pid})." in run.stderr


def test_web_server_that_cannot_start(start: Start, data: Path, tmp_path: Path) -> None:
    broken = write_standin(tmp_path / "broken", wsgi="raise RuntimeError('no such idea')")
    run = start(root=broken)
    assert run.returncode == 1
    assert "The web server did not start." in run.stderr
    assert "RuntimeError: no such idea" in run.stderr
    assert processes_of(data) == {}


def test_migration_that_fails(start: Start, data: Path, tmp_path: Path) -> None:
    broken = write_standin(tmp_path / "broken", migrations="raise RuntimeError('no such table')")
    run = start(root=broken)
    assert run.returncode == 1
    assert "The database could not be brought up to date." in run.stderr
    assert "RuntimeError: no such table" in run.stderr
    assert processes_of(data) == {}


def test_data_of_another_postgres(start: Start, data: Path) -> None:
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("16\n")
    run = start()
    assert run.returncode == 1
    assert "was written by Postgres 16; this Freshet brings Postgres 18" in run.stderr
