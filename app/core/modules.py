"""Find the modules of the application by the role that their name says."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

APP = Path(__file__).parent.parent


def modules_named(name: str) -> list[ModuleType]:
    """Import and return every module of the application with this name, in the order of their paths."""
    paths = sorted(path.relative_to(APP.parent).with_suffix("") for path in APP.rglob(f"{name}.py"))
    return [import_module(".".join(path.parts)) for path in paths]
