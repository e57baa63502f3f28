"""What must still be done, and when recurring tasks ran."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Identity, Index, Integer, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class OutboxRow(Model):
    """One job that must still be done. Deleted in the transaction that finishes the job."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_lease_until", "lease_until"),
        Index("ix_outbox_job", "job", "id"),
        Index("ix_outbox_failed", "id", postgresql_where=text("attempts > 0")),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    job: Mapped[str] = mapped_column(Text)
    actor_id: Mapped[int | None] = mapped_column(BigInteger)
    subject_id: Mapped[int] = mapped_column(BigInteger)
    # What the job must know of the event that it follows from; never changed.
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    # How far the job has come; empty until its first slice is done.
    state: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    lease_until: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    attempts: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    last_error: Mapped[str | None] = mapped_column(Text)


class ScheduledTask(Model):
    """When a recurring task ran last, so that several schedulers do not run it twice."""

    __tablename__ = "scheduled_tasks"

    name: Mapped[str] = mapped_column(Text, primary_key=True)
    ran_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
