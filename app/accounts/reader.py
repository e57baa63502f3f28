"""The person who reads a page, as far as queries need to know them."""

from __future__ import annotations

from typing import Protocol


class Reader(Protocol):
    """What pages need to know of the person who reads them; a `User` is one, too."""

    @property
    def id(self) -> int: ...
    @property
    def repeat_hours(self) -> int: ...
    @property
    def hides_own_reposts(self) -> bool: ...
