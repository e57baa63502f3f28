"""How people come in where not everybody may: invites, and requests that wait for a decision."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Identity, Index, Integer, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.core import clock
from app.extensions import Model

WAITING, DECLINED = STATES = ("waiting", "declined")  # one that is approved is an account


class Invite(Model):
    """A link by which so many people can sign up."""

    __tablename__ = "invites"
    __table_args__ = (
        Index("uq_invites_code", "code", unique=True),
        Index("ix_invites_inviter_id", "inviter_id", "id"),
        CheckConstraint("uses BETWEEN 0 AND max_uses", name="uses"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    code: Mapped[str] = mapped_column(Text)
    inviter_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    max_uses: Mapped[int] = mapped_column(Integer)
    uses: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    expires_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    follows: Mapped[bool] = mapped_column(server_default=text("true"))  # the inviter, from the beginning
    revoked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    @property
    def is_over(self) -> bool:
        """Say whether nobody can sign up by it any more."""
        has_ended = self.expires_at is not None and self.expires_at <= clock.now()
        return self.revoked_at is not None or has_ended or self.uses >= self.max_uses


class SignupRequest(Model):
    """Somebody who wants to join. Not an account: nothing of it is anywhere on the site until it is approved."""

    __tablename__ = "signup_requests"
    __table_args__ = (
        Index(
            "uq_signup_requests_handle_lower",
            func.lower(text("handle")),
            unique=True,
            postgresql_where=text("state = 'waiting'"),
        ),
        Index("ix_signup_requests_email", "email"),
        Index("ix_signup_requests_state_id", "state", "id"),
        CheckConstraint("state IN ('waiting', 'declined')", name="state"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    handle: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    email: Mapped[str] = mapped_column(Text)
    password_hash: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text, server_default=text("''"))
    state: Mapped[str] = mapped_column(Text, server_default=text("'waiting'"))
    asked_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    decided_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    reason: Mapped[str] = mapped_column(Text, server_default=text("''"))
