"""Children one by one: how they are stopped, and how often they are started again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.runtime.logs import LogWatch
from app.runtime.process import Process
from app.runtime.service_user import ServiceUser, open_way
from app.runtime.supervisor import Tended
from tests.runtime.processes import eventually

DEAF = "trap '' TERM; echo ready; while true; do sleep 0.1; done"
WITH_CHILD = "sleep 300 & echo $!; wait"
PATIENCE = 60.0  # seconds; on a busy machine anything but the grace may take its time


def shell(script: str, log: Path, *, grace: float = 2 * PATIENCE) -> Process:
    """Start a shell script and wait for its first line."""
    process = Process("script", ["sh", "-c", script], log=log, grace=grace)
    process.launch()
    eventually(process.log_lines)
    return process


def test_process_that_does_not_listen_is_killed_after_its_grace(tmp_path: Path) -> None:
    process = shell(DEAF, tmp_path / "log", grace=0.3)
    begun = time.monotonic()
    process.stop()
    assert 0.3 <= time.monotonic() - begun < PATIENCE
    assert not process.alive


def test_second_ctrl_c_does_not_wait_for_the_grace(tmp_path: Path) -> None:
    process = shell(DEAF, tmp_path / "log")
    begun = time.monotonic()
    process.stop(hurried=lambda: True)
    assert time.monotonic() - begun < PATIENCE
    assert not process.alive


def test_paused_process_can_be_stopped(tmp_path: Path) -> None:
    process = shell("echo ready; exec sleep 300", tmp_path / "log")
    process.pause()
    begun = time.monotonic()
    process.stop()
    assert time.monotonic() - begun < PATIENCE


def test_nothing_a_process_started_outlives_it(tmp_path: Path) -> None:
    process = shell(WITH_CHILD, tmp_path / "log")
    grandchild = int(process.log_lines()[0])
    process.stop()
    eventually(lambda: _is_gone(grandchild))


def test_child_that_keeps_dying_is_started_ever_more_slowly(tmp_path: Path) -> None:
    child = Tended(Process("script", ["false"], log=tmp_path / "log"))
    child.process.launch()
    now = child.born
    waits = []
    for _ in range(7):
        eventually(lambda: not child.process.alive)
        child.tend(now)
        assert child.due is not None
        waits.append(child.due - now)
        now = child.due
        child.tend(now)
    assert waits == pytest.approx([0.5, 1, 2, 4, 8, 10, 10])


def test_child_that_stays_well_is_forgiven(tmp_path: Path) -> None:
    child = Tended(Process("script", ["sleep", "60"], log=tmp_path / "log"), delay=8)
    child.process.launch()
    child.tend(child.born + 29)
    assert child.delay == 8
    child.tend(child.born + 31)
    assert child.delay == 0.5
    child.process.kill()


def test_only_whole_lines_that_deserve_attention_are_shown(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.write_text("[INFO] before\n")
    watch = LogWatch(log)
    with log.open("a") as file:
        file.write("\x1b[31m[ERROR] broken\x1b[0m\n[INFO] fine\n[WARNI")
        file.flush()
        assert watch.new_warnings() == ["[ERROR] broken"]
        file.write("NG] late\n")
    assert watch.new_warnings() == ["[WARNING] late"]
    assert watch.new_warnings() == []


def test_only_closed_folders_are_opened_and_only_for_passing_through(data: Path) -> None:
    stranger = ServiceUser("stranger", uid=64_000, gid=64_000)
    closed = data.parent
    data.mkdir(mode=0o755)
    assert open_way(stranger, data / "postgres") == [closed]
    assert closed.stat().st_mode & 0o777 == 0o701
    assert open_way(stranger, data / "postgres") == []


def _is_gone(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"  # dead, only not yet noted by whoever inherited it
