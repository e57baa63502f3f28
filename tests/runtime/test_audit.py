"""Known faults of packages are said with what mends them."""

from __future__ import annotations

from typing import Any

from app.runtime.audit import faults_in


def test_a_known_fault_is_said_with_what_mends_it() -> None:
    report: list[dict[str, Any]] = [
        {"name": "flask", "version": "3.1.0", "vulns": []},
        {"name": "pillow", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1", "2.0"]}]},
    ]
    assert list(faults_in(report)) == ["pillow 1.0: CVE-1, mended in 1.1, 2.0"]
