"""Links that are sent by e-mail: each opens one thing, once, for a short time."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Identity, Index, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model

CONFIRM, RESET = PURPOSES = ("confirm", "reset")


class MailLink(Model):
    """A link that was sent to an address, for one account. What is in the link itself is signed and not kept."""

    __tablename__ = "mail_links"
    __table_args__ = (
        Index("ix_mail_links_user_id", "user_id"),
        Index("ix_mail_links_email_created_at", "email", "created_at"),
        Index("ix_mail_links_expires_at", "expires_at"),
        CheckConstraint("purpose IN ('confirm', 'reset')", name="purpose"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    purpose: Mapped[str] = mapped_column(Text)
    email: Mapped[str] = mapped_column(Text)  # where it was sent to
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    used_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
