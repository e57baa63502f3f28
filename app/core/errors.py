"""What can go wrong, in words."""

from __future__ import annotations

import logging

from werkzeug.exceptions import (
    BadRequest,
    Forbidden,
)

log = logging.getLogger(__name__)


class NotAllowed(Forbidden):
    """The viewer may see the thing, but not do this with it."""

    description = "You can’t do that."


class BadCursor(BadRequest):
    description = "This link to older posts doesn’t work here. Go back to the top of the list and scroll from there."
