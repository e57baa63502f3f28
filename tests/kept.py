"""States of the site that many tests begin with: made once in a while, and brought back for each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from flask import Flask

from app.extensions import limiter
from app.feed.home.first_chunk import first_chunks
from app.posts.cards.pointers import pointers
from app.site import settings
from tests.database import Snapshot, restore, take_snapshot

T = TypeVar("T")
# To make a state costs ten times as much as to bring it back. But what is in it has its time: sessions say when they
# were last used, and ids are moments. So it never is much older than what a test would have made for itself.
MAX_AGE_SECONDS = 60.0


@dataclass(frozen=True)
class Kept:
    """What was made, and the site as it was then."""

    made: Any
    snapshot: Snapshot
    moment: float


def bring_back(app: Flask, key: Hashable, make: Callable[[], T]) -> T:
    """Bring back what `make` makes of an empty site, and return what it returned. Redis is empty."""
    states: dict[Hashable, Kept] = app.extensions.setdefault("tests.kept", {})
    kept = states.get(key)
    if kept is None or time.monotonic() > kept.moment + MAX_AGE_SECONDS:
        kept = states[key] = Kept(make(), take_snapshot(app), time.monotonic())
    restore(app, kept.snapshot)  # what was just made as well: no test can tell whether it is the first
    forget(app)
    return cast(T, kept.made)


def forget(app: Flask) -> None:
    """Forget what the process has learned of the site in the last test."""
    app.extensions.pop("freshet.set_up", None)
    app.extensions.pop("tests.scene", None)
    first_chunks.forget()
    pointers.forget()
    limiter.enabled = False
    with app.app_context():  # now, so that no page that is counted asks for it
        settings.forget()
        settings.the_site()
