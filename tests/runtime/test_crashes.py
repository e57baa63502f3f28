"""What happens when processes die that nobody asked to die."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from app.runtime.port import is_healthy
from app.runtime.site import Site
from tests.runtime.conftest import query
from tests.runtime.processes import eventually, kill_tree, pid_of, processes_of


def test_killed_tree_starts_again_with_its_data(site: Site) -> None:
    query(site.data, "INSERT INTO note VALUES ('kept through a power cut')")
    kill_tree(site.data)
    site.start()
    assert query(site.data, "SELECT 1 FROM note WHERE text = 'kept through a power cut'") == [(1,)]


def test_killed_supervisor_takes_every_child_with_it(site: Site) -> None:
    os.kill(site.pid, signal.SIGKILL)
    eventually(lambda: not processes_of(site.data))


def test_start_waits_for_the_postmaster_of_a_killed_supervisor(site: Site) -> None:
    query(site.data, "CREATE TABLE large AS SELECT repeat('x', 1000) FROM generate_series(1, 20000)")
    postmaster = pid_of(site.data, "bin/postgres")
    os.kill(site.pid, signal.SIGKILL)
    site.start()
    assert pid_of(site.data, "bin/postgres") != postmaster
    assert query(site.data, "SELECT count(*) FROM large") == [(20000,)]


def test_pid_of_a_stranger_does_not_block_the_start(site: Site) -> None:
    kill_tree(site.data)
    pid_file = site.data / "postgres" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]))
    site.start()
    assert query(site.data, "SELECT 1") == [(1,)]


def test_interrupted_first_start_is_repaired(data: Path, standin: Path) -> None:
    half = data / "postgres.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    site = Site(data, root=standin)
    try:
        site.start()
        assert query(data, "SELECT 1") == [(1,)]
        assert not half.exists()
    finally:
        site.stop()


def test_each_dead_child_is_started_again(site: Site) -> None:
    names = {"worker": "worker.py work", "scheduler": "schedule", "Valkey": "valkey-server", "web": "granian"}
    before = {name: pid_of(site.data, words) for name, words in names.items()}
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    for name, words in names.items():
        eventually(lambda words=words, old=before[name]: _another(site.data, words, old))  # type: ignore[misc]
        assert site.console.count(f"{name} was ended by SIGKILL") == 1
    eventually(lambda: is_healthy("127.0.0.1", site.port))


def test_dead_postgres_is_started_again(site: Site) -> None:
    postmaster = pid_of(site.data, "bin/postgres")
    os.kill(postmaster, signal.SIGKILL)
    eventually(lambda: _another(site.data, "bin/postgres", postmaster))
    eventually(lambda: _is_ready(site.data / "postgres" / "postmaster.pid"))
    assert query(site.data, "SELECT 1") == [(1,)]


def test_killed_web_server_leaves_no_old_workers_on_the_port(site: Site) -> None:
    old = {pid for pid, command in processes_of(site.data).items() if "granian" in command}
    assert len(old) == 3  # one that listens to us, two that serve
    os.kill(min(old), signal.SIGKILL)
    eventually(lambda: not old & set(processes_of(site.data)))


def _another(data: Path, words: str, old: int) -> bool:
    pids = [pid for pid, command in processes_of(data).items() if words in command]
    return bool(pids) and old not in pids


def _is_ready(pid_file: Path) -> bool:
    return pid_file.exists() and "ready" in pid_file.read_text()
