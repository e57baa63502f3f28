"""What Postgres knows of the timelines in Redis."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, CheckConstraint, DateTime, ForeignKey, Index, SmallInteger, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model

PUSH, BOTH, PULL = "push", "both", "pull"


class FeedState(Model):
    """One row: the generation under which timelines are valid, and the Redis that holds them."""

    __tablename__ = "feed_state"
    __table_args__ = (CheckConstraint("id = 1", name="only_one"),)

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    generation: Mapped[str] = mapped_column(Text)
    redis_run_id: Mapped[str | None] = mapped_column(Text)


class AuthorMode(Model):
    """How an author's posts reach their followers. No row means push.

    push: into every follower's home; pull: merged from the author's own window when a follower reads; both: pushed
    and merged, while followers' homes from the time of pull are thrown away.
    """

    __tablename__ = "author_modes"
    __table_args__ = (
        CheckConstraint("mode IN ('push', 'both', 'pull')", name="mode"),
        Index("ix_author_modes_merged", "user_id", postgresql_where=text("mode IN ('both', 'pull')")),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    mode: Mapped[str] = mapped_column(Text)
    change: Mapped[int] = mapped_column(BigInteger)


class FeedMark(Model):
    """What a reader has seen of their home feed: everything up to `seen_id`, and stretches above it.

    Stretches of ids are kept as first, last, first, last.
    """

    __tablename__ = "feed_marks"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    seen_id: Mapped[int] = mapped_column(BigInteger)
    seen_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), server_default=func.now())  # it moved
    widened_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # older posts came in
    seen: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    # The last page that a browser opened of which nobody knows yet whether it runs scripts, and the session of that.
    opened: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    opened_by: Mapped[int | None] = mapped_column(BigInteger)


class FanoutLag(Model):
    """How long it took, in one minute, from a post's commit to the last timeline written."""

    __tablename__ = "fanout_lags"

    minute: Mapped[datetime] = mapped_column(DateTime(timezone=True), primary_key=True)
    posts: Mapped[int] = mapped_column(BigInteger)
    total_ms: Mapped[int] = mapped_column(BigInteger)
    worst_ms: Mapped[int] = mapped_column(BigInteger)
