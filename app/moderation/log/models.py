"""The record of what those who run the site did."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Computed, DateTime, Identity, Index, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB, TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class Named(NamedTuple):
    """A person as the log names them, also one whose account is gone."""

    id: int
    handle: str


class LogEntry(Model):
    """One action of an admin or moderator. The database refuses to change or remove an entry.

    Names are kept as they were, and nothing refers to other tables: an entry outlives whom it is about.
    """

    __tablename__ = "log_entries"
    __table_args__ = (
        Index("ix_log_entries_actor_id_id", "actor_id", "id"),
        Index("ix_log_entries_action_id", "action", "id"),
        Index("ix_log_entries_words", "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    actor_id: Mapped[int] = mapped_column(BigInteger)
    actor: Mapped[str] = mapped_column(Text)  # their handle at that time
    action: Mapped[str] = mapped_column(Text)
    target_id: Mapped[int] = mapped_column(BigInteger)
    target: Mapped[str] = mapped_column(Text)  # the handle of whom it was done to, at that time
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
    before: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    after: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
    words: Mapped[str] = mapped_column(
        TSVECTOR,
        Computed("to_tsvector('simple', plain_words(actor || ' ' || target || ' ' || reason))", persisted=True),
        deferred=True,
        deferred_raiseload=True,
    )
