"""What happened."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Index, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class Activity(Model):
    """One thing that happened. Written once, never updated; partitioned by month of its id."""

    __tablename__ = "activity"
    __table_args__ = (
        Index("ix_activity_actor_id", "actor_id", "id"),
        {"postgresql_partition_by": "RANGE (id)"},
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    verb: Mapped[str] = mapped_column(Text)
    actor_id: Mapped[int | None] = mapped_column(BigInteger)
    subject_id: Mapped[int] = mapped_column(BigInteger)
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
