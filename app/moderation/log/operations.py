"""Put on record what those who run the site do."""

from __future__ import annotations

from collections.abc import Mapping

from app.accounts.models import User
from app.core.text import clean
from app.extensions import db
from app.moderation.log.actions import WORDS
from app.moderation.log.models import LogEntry, Named

Values = Mapping[str, str | int | bool | None]
THE_SITE = 0  # in the place of a person's id, which are above it


def enter(
    action: str,
    person: User | Named | None,
    *,
    by: User | None,
    reason: str,
    before: Values,
    after: Values,
    handle: str = "",
) -> None:
    """Enter an action into the record, in the transaction of the action itself: neither is there without the other.

    Without a person it was done to the site, or to a `handle` that has no account; without `by` the site did it itself.
    """
    assert action in WORDS, f"{action} is not declared in actions.py"
    entry = LogEntry(
        actor_id=by.id if by else THE_SITE,
        actor=by.handle if by else "",
        action=action,
        target_id=person.id if person else THE_SITE,
        target=person.handle if person else handle,
        reason=clean(reason),
        before=dict(before),
        after=dict(after),
    )
    db.session.add(entry)
