"""What can go wrong, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from werkzeug.exceptions import BadRequest, Forbidden


class NotAllowed(Forbidden):
    """The viewer may see the thing, but not do this with it."""

    description = "You can’t do that."


class NotAsItWas(BadRequest):
    description = "This can’t be undone from here. Nothing was changed."


class Refused(ValueError):
    """Input that cannot be accepted. The message says why, and `field` where it was entered: forms show it there."""

    field: ClassVar[str]
    code: ClassVar[int] = 422


class SeveralRefused(Refused):
    """All that is wrong with one form at once."""

    def __init__(self, refusals: Sequence[Refused]) -> None:
        super().__init__(" ".join(map(str, refusals)))
        self.refusals = refusals


class BadCursor(BadRequest):
    description = "This link to older posts doesn’t work here. Go back to the top of the list and scroll from there."


def all_of(*checks: Callable[[], str]) -> list[str]:
    """Return what all checks return, or raise everything that they refuse."""
    passed, refusals = list[str](), list[Refused]()
    for check in checks:
        try:
            passed.append(check())
        except Refused as refusal:
            refusals.append(refusal)
    if refusals:
        raise SeveralRefused(refusals) if len(refusals) > 1 else refusals[0]
    return passed
