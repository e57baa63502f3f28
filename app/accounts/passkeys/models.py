"""Passkeys: the public halves of keys that stay in a phone, a computer or a stick."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, ForeignKey, Identity, Index, LargeBinary, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class Passkey(Model):
    """A key by which a person logs in. What it signs for this site is checked with the half that is kept here."""

    __tablename__ = "passkeys"
    __table_args__ = (
        Index("uq_passkeys_credential_id", "credential_id", unique=True),
        Index("ix_passkeys_user_id", "user_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    credential_id: Mapped[bytes] = mapped_column(LargeBinary)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger)  # how often it has signed; 0 of those that do not count
    name: Mapped[str] = mapped_column(Text)
    added_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class UsedChallenge(Model):
    """A number that a passkey has signed for us, and that is never accepted again."""

    __tablename__ = "used_challenges"
    __table_args__ = (Index("ix_used_challenges_used_at", "used_at"),)

    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    used_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
