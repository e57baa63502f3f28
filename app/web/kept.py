"""HTML that is kept for several readers: rendered by an environment that knows no request, no session and no viewer.

Undefined names are errors there. A template that would put the token of the first viewer into what all viewers get,
as `ui.csrf()` without a token does, fails instead.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import current_app
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

# Stands in kept HTML for what differs from reader to reader. Nobody can write it into a post: it is drawn anew by every
# process, and leaves none.
_MARK = f"slot{secrets.token_hex(12)}"
_SLOT = re.compile(rf"{_MARK}_(\w+?)_end")


def environment() -> Environment:
    """Return the environment; `hooks` has given it the filters, macros and names that depend on nobody."""
    kept: Environment = current_app.extensions["freshet.kept_templates"]
    return kept


def make_environment(loader: Any) -> Environment:
    """Make an empty one: without Flask's own names."""
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def slot(name: str) -> Markup:
    """Return what stands for a value until the page is filled."""
    return Markup(f"{_MARK}_{name}_end")  # noqa: S704


@dataclass(frozen=True)
class Kept:
    """Rendered HTML, cut at its slots."""

    parts: tuple[bytes, ...]
    slots: tuple[str, ...]

    def fill(self, values: Mapping[str, bytes]) -> bytes:
        """Return the HTML with its slots filled; values are escaped already."""
        pieces = [self.parts[0]]
        for name, part in zip(self.slots, self.parts[1:], strict=True):
            pieces += (values[name], part)
        return b"".join(pieces)

    def cut(self, places: Collection[str]) -> dict[str, Kept]:
        """Return what stands before each of these slots, by its name, and under "" what stands after the last."""
        found: dict[str, Kept] = {}
        parts, slots = [self.parts[0]], list[str]()
        for name, part in zip(self.slots, self.parts[1:], strict=True):
            if name in places:
                found[name] = Kept(tuple(parts), tuple(slots))
                parts, slots = [part], []
            else:
                parts.append(part)
                slots.append(name)
        return found | {"": Kept(tuple(parts), tuple(slots))}


def render(template: str, **context: object) -> Kept:
    """Render a template of which the result is to be kept."""
    html = environment().get_template(template).render(context)
    pieces = _SLOT.split(html)
    return Kept(tuple(piece.encode() for piece in pieces[::2]), tuple(pieces[1::2]))


@cache
def fixed(template: str, **flags: bool) -> Markup:
    """Return a part of many pages that depends on nothing but flags, rendered once."""
    return Markup(environment().get_template(template).render(flags))  # noqa: S704
