"""The settings of the site, as they hold now: kept by each process, and asked for anew once a second.

See docs/decisions/0022-settings-of-the-site.md.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import Flask, current_app
from sqlalchemy import Select, select
from sqlalchemy.exc import SQLAlchemyError

from app.core.database import read_only
from app.core.statements import Compiled
from app.site import announcements
from app.site.announcements import Announcement, first_of
from app.site.models import APPROVAL, CLOSED, MEMBERS, MEMBERS_INVITE, OPEN, SiteSettings


class Link(NamedTuple):
    """A link of the site's own in the footer."""

    words: str
    address: str


class Stored(NamedTuple):
    """What was set on the page of the settings; None leaves it to the environment."""

    version: int = 0
    name: str | None = None
    description: str = ""
    icon: str | None = None
    colour: str | None = None
    about: str = ""
    rules: str = ""
    privacy: str = ""
    contact: str = ""
    links: list[list[str]] | tuple[()] = ()
    signups: str | None = None
    inviters: str = "staff"
    audience: str = "everyone"
    post_max_chars: int | None = None
    celebrity_followers: int | None = None


class Started(NamedTuple):
    """What the environment says of those settings that it has a word for."""

    name: str
    signups: str
    post_max_chars: int
    celebrity_followers: int

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> Started:
        signups = OPEN if config["SIGNUPS_OPEN"] else CLOSED
        return cls(config["SITE_NAME"], signups, config["POST_MAX_CHARS"], config["CELEBRITY_FOLLOWERS"])


class Site(NamedTuple):
    """The site as it is set up now. It can be hashed: HTML that shows something of it is kept under it."""

    name: str
    description: str
    icon: str | None
    colour: str | None
    about: str
    rules: str
    privacy: str
    contact: str
    links: tuple[Link, ...]
    signups: str
    inviters: str
    audience: str
    post_max_chars: int
    celebrity_followers: int

    @property
    def takes_signups(self) -> bool:
        """Say whether a stranger who brings nothing can ask for an account."""
        return self.signups in (OPEN, APPROVAL)

    def lets_invite(self, *, is_staff: bool) -> bool:
        """Say whether a member may send invites."""
        return self.signups != CLOSED and (is_staff or self.inviters == MEMBERS_INVITE)

    @property
    def is_for_members(self) -> bool:
        """Say whether only members see what is posted."""
        return self.audience == MEMBERS


def the_site() -> Site:
    """Return the settings that hold now."""
    return _keeper().site(current_app.config)


def announcement_for(dismissed: Sequence[int]) -> Announcement | None:
    """Return what is announced now to a reader who has dismissed these."""
    return first_of(_keeper().announced(current_app.config), dismissed=dismissed)


def announced_ids() -> list[int]:
    """Return the ids of the announcements that are not over."""
    return [each.id for each in _keeper().announced(current_app.config)]


def stored() -> Stored:
    """Return what Postgres has at this moment."""
    return _read()


def forget() -> None:
    """Have the next reader in this process ask Postgres: something was just changed."""
    _keeper().forget()


def register(app: Flask) -> None:
    """Give an application what keeps its settings."""
    app.extensions["freshet.site"] = _Keeper()


def _keeper() -> _Keeper:
    keeper: _Keeper = current_app.extensions["freshet.site"]
    return keeper


class _Keeper:
    """Keeps what was stored, and what it comes to with the environment."""

    def __init__(self) -> None:
        self._stored = Stored()
        self._announced: tuple[Announcement, ...] = ()
        self._asked_at: float | None = None
        self._resolved: tuple[Stored, Started, Site] | None = None
        self._asking = threading.Lock()

    def site(self, config: Mapping[str, Any]) -> Site:
        if self._asked_at is None or time.monotonic() - self._asked_at > config["SITE_SETTINGS_SECONDS"]:
            self._ask()
        started = Started.of(config)
        if self._resolved is None or self._resolved[0] is not self._stored or self._resolved[1] != started:
            self._resolved = self._stored, started, resolve(self._stored, started)
        return self._resolved[2]

    def announced(self, config: Mapping[str, Any]) -> tuple[Announcement, ...]:
        self.site(config)
        return self._announced

    def forget(self) -> None:
        self._asked_at = None

    def _ask(self) -> None:
        """Ask Postgres; the other threads go on with what is known, but for those that know nothing yet."""
        if not self._asking.acquire(blocking=self._asked_at is None):
            return
        try:
            asked_at = time.monotonic()
            found, self._announced = _read(), _read_announcements()
            if found != self._stored:
                self._stored = found
            self._asked_at = asked_at
        except SQLAlchemyError:  # the page will say so, if it needs Postgres; what is known still holds
            self._asked_at = None if self._asked_at is None else time.monotonic()
        finally:
            self._asking.release()


def resolve(stored: Stored, started: Started) -> Site:
    """Return what holds: what was set, and otherwise what the site was started with."""
    values = stored._asdict()
    del values["version"]
    values |= {name: value for name, value in started._asdict().items() if values[name] is None}
    return Site(**{**values, "links": tuple(Link(*link) for link in stored.links)})


def _read() -> Stored:
    with read_only():
        rows = _row.rows_as(Stored)
    return rows[0] if rows else Stored()


def _read_announcements() -> tuple[Announcement, ...]:
    with read_only():
        return announcements.read()


@Compiled
def _row() -> Select[*tuple[Any, ...]]:
    return select(*(getattr(SiteSettings, name) for name in Stored._fields))
