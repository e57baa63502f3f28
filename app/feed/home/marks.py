"""Where a reader left off: the newest entry they have seen, kept in Postgres."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert

from app.accounts.reader import Reader
from app.core import clock
from app.core.statements import rows_changed
from app.feed.models import FeedMark

WRITTEN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Mark:
    """The newest entry that a reader has seen, and when that was written down."""

    seen_id: int
    seen_at: datetime


def is_due(mark: Mark | None, seen_id: int) -> bool:
    """Say whether it is worth writing down that the viewer has seen an entry: most pages need not write."""
    return mark is None or (mark.seen_id < seen_id and mark.seen_at < clock.now() - WRITTEN_EVERY)


def remember(viewer: Reader, seen_id: int) -> None:
    """Note what the viewer sees now, at most once a minute, never backwards."""
    mark = insert(FeedMark).values(user_id=viewer.id, seen_id=seen_id)
    rows_changed(
        mark.on_conflict_do_update(
            index_elements=["user_id"],
            set_={"seen_id": seen_id, "seen_at": func.now()},
            where=(FeedMark.seen_id < seen_id) & (FeedMark.seen_at < func.now() - WRITTEN_EVERY),
        )
    )
