"""`python3 app/runtime/venv.py LOCK…`: make .venv hold what the lock files say. Runs before anything is installed.

The last lock that was installed completely is kept in .venv, so a second run costs nothing, a changed lock
installs again and an interrupted install is repaired. Only the standard library, and no import of `app`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
OLDEST = (3, 11)


def main(locks: list[str]) -> int:
    """Install each lock that is not installed yet; say in a sentence what keeps it from happening."""
    if sys.version_info < OLDEST:
        return complain(f"Freshet needs Python 3.11 or newer, not {sys.version.split()[0]}: make run PYTHON=python3.11")
    os.umask(0o022)  # Postgres may run as another user and must be able to read its programs
    for lock in locks:
        if not is_installed(lock) and not install(lock):
            return 1
    return 0


def is_installed(lock: str) -> bool:
    """Say whether exactly this lock was installed to the end."""
    stamp = VENV / lock
    return PYTHON.exists() and stamp.exists() and stamp.read_bytes() == (ROOT / lock).read_bytes()


def install(lock: str) -> bool:
    """Install the lock and remember that it is complete."""
    print(f"Installing {lock} into .venv (once, about a minute) …", flush=True)
    begun = time.monotonic()
    if not has_pip() and subprocess.call([sys.executable, "-m", "venv", "--clear", str(VENV)]) != 0:
        complain("No virtual environment could be made. On Debian and Ubuntu: apt-get install python3-venv")
        return False
    (VENV / lock).unlink(missing_ok=True)
    pip = [str(PYTHON), "-m", "pip", "install", "-qq", "--no-input", "--disable-pip-version-check"]
    if subprocess.call([*pip, "--require-hashes", "-r", str(ROOT / lock)]) != 0:
        complain(f"The packages of {lock} could not be installed; the lines above say why. Then run make again.")
        return False
    (VENV / lock).write_bytes((ROOT / lock).read_bytes())
    print(f"Installed in {time.monotonic() - begun:.0f} s", flush=True)
    return True


def has_pip() -> bool:
    """Say whether the environment's Python still runs and can install."""
    quiet = subprocess.DEVNULL
    return PYTHON.exists() and subprocess.call([str(PYTHON), "-m", "pip", "--version"], stdout=quiet, stderr=quiet) == 0


def complain(sentence: str) -> int:
    """Print the sentence; return the exit code of a failure."""
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
