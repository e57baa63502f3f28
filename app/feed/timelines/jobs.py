"""Jobs about the feed."""

from __future__ import annotations

from collections.abc import Sequence

from app.feed.admin import lag
from app.feed.timelines import fanout, modes
from app.outbox.models import OutboxRow
from app.outbox.rows import State


def fan_out_posts(rows: Sequence[OutboxRow]) -> list[State | None]:
    """Push posts to their authors' followers, many in a few round trips: under load one job drains many rows.

    A post that is hidden is pushed too, for it may be shown again; only one that is gone for good is skipped.
    """
    plans = fanout.plan([(row.subject_id, row.state) for row in rows])
    fanout.deliver([plan for plan in plans if plan])
    states = [plan.next_state if plan else None for plan in plans]
    lag.record([row.created_at for row, state in zip(rows, states, strict=True) if state is None])
    return states


def fan_out_post(row: OutboxRow) -> State | None:
    """Push one post to its author's followers."""
    return fan_out_posts([row])[0]


def backfill_follow(row: OutboxRow) -> None:
    """Put what an author wrote into the home of a new follower."""
    if row.actor_id is not None:
        fanout.backfill(follower_id=row.actor_id, author_id=row.subject_id)
        fanout.note_older_posts(row.actor_id)
        modes.reconsider(row.subject_id)


def note_older_posts(row: OutboxRow) -> None:
    """Note for readers that posts which they have not seen may have come in below where they left off."""
    for reader_id in row.details.get("readers", [row.actor_id]):
        fanout.note_older_posts(reader_id)


def finish_demotion(row: OutboxRow) -> State | None:
    """Throw the homes of an author's followers away, then let the author push."""
    return fanout.throw_away_homes(row.subject_id, change=row.details["change"], state=row.state)
