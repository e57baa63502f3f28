"""What can go wrong, in words."""

from __future__ import annotations

from typing import ClassVar

from werkzeug.exceptions import BadRequest, Forbidden


class NotAllowed(Forbidden):
    """The viewer may see the thing, but not do this with it."""

    description = "You can’t do that."


class Refused(ValueError):
    """Input that cannot be accepted. The message says why, and `field` where it was entered: forms show it there."""

    field: ClassVar[str]
    code: ClassVar[int] = 422


class BadCursor(BadRequest):
    description = "This link to older posts doesn’t work here. Go back to the top of the list and scroll from there."
