"""The person who reads a page, as far as pages need to know them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Protocol

from app.core import clock
from app.core.zones import Zone, zone_named


class Reader(Protocol):
    """What queries need to know of a reader; a `User` is one, too."""

    @property
    def id(self) -> int: ...
    @property
    def repeat_hours(self) -> int: ...
    @property
    def hides_own_reposts(self) -> bool: ...
    @property
    def time_zone(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class SessionReader:
    """A reader as one statement found them by their session, without the ORM: for pages that only read."""

    id: int
    handle: str
    name: str
    avatar: str | None
    role: str
    is_private: bool
    repeat_hours: int
    hides_own_reposts: bool
    groups_conversations: bool
    starts_at_top: bool
    time_zone: str | None
    frozen_until: datetime | None
    suspended_until: datetime | None
    notice_id: int | None
    must_acknowledge: bool
    has_report_news: bool
    dismissed: list[int]  # announcements
    session_token: str
    session_id: int

    # What Flask-Login asks of everybody who is logged in.
    is_authenticated: ClassVar[bool] = True
    is_active: ClassVar[bool] = True
    is_anonymous: ClassVar[bool] = False

    def get_id(self) -> str:
        return self.session_token

    @property
    def is_admin(self) -> bool:
        return self.role == "admin"

    @property
    def is_staff(self) -> bool:
        return self.role != "member"

    @property
    def is_frozen(self) -> bool:
        return clock.holds(self.frozen_until)

    @property
    def is_suspended(self) -> bool:
        return clock.holds(self.suspended_until)

    @property
    def has_notice(self) -> bool:
        """Say whether a page has something to tell them besides what it is about."""
        return self.notice_id is not None or self.has_report_news

    @property
    def url(self) -> str:
        return f"/@{self.handle}"


def zone_of(reader: Reader | None) -> Zone:
    """Return the time zone that a reader's days and times are in."""
    return zone_named(reader.time_zone) if reader else None
