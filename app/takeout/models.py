"""What people take with them, and what they bring along: one export and one import of each person."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Index, Integer, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core import clock, ids
from app.extensions import Model

FOLLOWS, MUTES, BLOCKS = KINDS = ("follows", "mutes", "blocks")


class Export(Model):
    """A person's data as a file that a job makes. A new one replaces it; after `expires_at` it is removed."""

    __tablename__ = "exports"
    __table_args__ = (
        Index("uq_exports_user_id", "user_id", unique=True),
        Index("uq_exports_file", "file", unique=True),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    file: Mapped[str] = mapped_column(Text)  # a name that nobody can guess
    done: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    total: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    size: Mapped[int | None] = mapped_column(BigInteger)  # in bytes; like the next, of a finished one
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    @property
    def created_at(self) -> datetime:
        return ids.time_of(self.id)

    @property
    def is_running(self) -> bool:
        return self.expires_at is None

    @property
    def is_ready(self) -> bool:
        return self.expires_at is not None and self.expires_at > clock.now()


class Import(Model):
    """A list of people that its owner wants to follow, mute or block; a job goes through it."""

    __tablename__ = "imports"
    __table_args__ = (
        Index("uq_imports_user_id", "user_id", unique=True),
        CheckConstraint("kind IN ('follows', 'mutes', 'blocks')", name="kind"),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(Text)
    entries: Mapped[list[dict[str, str]]] = mapped_column(JSONB)
    done: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    total: Mapped[int] = mapped_column(Integer)
    counts: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    skipped: Mapped[dict[str, list[str]]] = mapped_column(JSONB, server_default=text("'{}'::jsonb"))
    finished_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    @property
    def created_at(self) -> datetime:
        return ids.time_of(self.id)

    @property
    def is_running(self) -> bool:
        return self.finished_at is None
