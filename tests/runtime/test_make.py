"""The commands that everybody types first."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import config

PUBLIC = ("run", "demo", "test", "test-fast", "test-long", "check", "bench", "help")


def test_make_lists_every_command() -> None:
    listed = subprocess.run(["make"], cwd=config.ROOT, capture_output=True, text=True, check=True).stdout
    for command in PUBLIC:
        assert f"make {command} " in listed


def test_make_says_which_python_it_needs() -> None:
    command = ["make", "runtime", "PYTHON=no-such-python"]
    run = subprocess.run(command, cwd=config.ROOT, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "Freshet needs Python 3.11 or newer: no-such-python was not found." in run.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Give a project whose lock asks for nothing, so that installing it needs no network."""
    (tmp_path / "app" / "runtime").mkdir(parents=True)
    shutil.copy(config.ROOT / "app" / "runtime" / "venv.py", tmp_path / "app" / "runtime")
    (tmp_path / "requirements.lock").write_text("# nothing\n")
    return tmp_path


def test_packages_are_installed_once_and_again_when_the_lock_changes(project: Path) -> None:
    assert "Installing requirements.lock" in install(project)
    assert install(project) == ""
    (project / "requirements.lock").write_text("# nothing else\n")
    assert "Installing requirements.lock" in install(project)
    (project / ".venv" / "requirements.lock").unlink()  # what an interrupted install leaves
    assert "Installing requirements.lock" in install(project)
    assert install(project) == ""


def install(project: Path) -> str:
    """Run what every command of the Makefile runs first."""
    command = [sys.executable, "app/runtime/venv.py", "requirements.lock"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=True).stdout
