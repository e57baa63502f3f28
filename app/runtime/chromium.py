"""`python -m app.runtime.chromium`: print the path of a Chromium for the browser tests, installed if need be."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from app.runtime.console import complain
from app.runtime.failure import StartFailure

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The same engine without the windows around pages: a new session in it costs a quarter of the time. But it does not
# keep the pages that were left, as browsers do.
SHELL = "chromium-headless-shell"
PLAYWRIGHTS_OWN = (
    "from playwright.sync_api import sync_playwright as p\nwith p() as it: print(it.chromium.executable_path)"
)


def main() -> int:
    """Print the path, or say in a sentence how to get one."""
    try:
        print(chromium())
    except StartFailure as failure:
        complain(failure.sentence, failure.log_lines)
        return 1
    return 0


def chromium() -> str:
    """Return the path of a Chromium that runs: the one on PATH, else from apt-get, else Playwright's own."""
    for find in (_on_path, _from_playwright, _after_apt_get, _after_playwright_install):
        if path := find():
            return path
    raise StartFailure(
        "There is no Chromium for the browser tests, and none could be installed. "
        "Install `chromium` yourself, or leave these tests out: BROWSER_TESTS=off make test"
    )


def headless_shell() -> str | None:
    """Return the path of a Chromium without windows, where there is one."""
    path = shutil.which(SHELL)
    return path if path and _runs(path) else None


def _after_apt_get() -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    _say("Installing Chromium with apt-get, once …")
    _run("apt-get", "update", "-qq")
    for package in ("chromium", SHELL):  # the second is quicker, and older distributions do not have it
        _run("apt-get", "install", "-y", "-qq", "--no-install-recommends", package)
    return _on_path()


def _after_playwright_install() -> str | None:
    _say("Installing Playwright's Chromium, once …")
    _run(sys.executable, "-m", "playwright", "install", "chromium")
    return _from_playwright()


def _on_path() -> str | None:
    paths = [path for name in NAMES if (path := shutil.which(name))]
    return next((path for path in paths if _runs(path)), None)


def _from_playwright() -> str | None:
    path = _run(sys.executable, "-c", PLAYWRIGHTS_OWN).stdout.strip()
    return path if path and _runs(path) else None


def _runs(path: str) -> bool:
    """Say whether it is a browser. Ubuntu's package is only a note to install a snap."""
    return Path(path).exists() and _run(path, "--version").returncode == 0


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # standard output carries only the path


if __name__ == "__main__":
    sys.exit(main())
