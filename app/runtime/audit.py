"""`python -m app.runtime.audit`: whether a fault is known in what the site is made of.

Where the list of known faults cannot be reached it says so, and passes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.runtime.console import complain, say
from config import ROOT

SECONDS = 120


def main() -> int:
    """Ask about every locked package, and return what the shell is told."""
    report = _report()
    asked = [each for each in report if "vulns" in each]
    if not asked:
        say("Known faults of packages: not asked, the list of them can’t be reached.")
        return 0
    if faults := list(faults_in(asked)):
        complain("A fault is known in what the site is made of: make lock UPGRADE=1", faults)
        return 1
    say(f"Known faults of packages: none in {len(asked)} of {len(report)}.")
    return 0


def _report() -> list[Mapping[str, Any]]:
    """Return what is known of each package; nothing where nobody can be asked."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(ROOT / "requirements.lock"), "--format", "json"]
    command += ["--disable-pip", "--no-deps", "--progress-spinner", "off", "--timeout", "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        report: list[Mapping[str, Any]] = json.loads(done.stdout)["dependencies"]
        return report
    except (subprocess.TimeoutExpired, ValueError):
        return []


def faults_in(asked: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Say each fault that is known, and the versions that mend it."""
    for package in asked:
        for fault in package["vulns"]:
            yield f"{package['name']} {package['version']}: {fault['id']}, mended in {', '.join(fault['fix_versions'])}"


if __name__ == "__main__":
    sys.exit(main())
