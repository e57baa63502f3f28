"""How pages look to whoever reads in this browser: what they chose of each, kept in a cookie of that name."""

from __future__ import annotations

from typing import NamedTuple

from flask import request

# What can be chosen; the first is what a browser shows that has chosen nothing.
CHOICES = {"theme": ("auto", "light", "dark"), "density": ("comfortable", "compact")}


class Appearance(NamedTuple):
    """Colours, and how much of a page is room."""

    theme: str
    density: str


def current_appearance() -> Appearance:
    """Return what the reader chose."""
    chosen = {name: request.cookies.get(name, "") for name in CHOICES}
    return Appearance(**{name: chosen[name] if chosen[name] in known else known[0] for name, known in CHOICES.items()})
