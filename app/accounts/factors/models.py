"""Second factors: an app that shows codes, and codes on paper for when that is lost."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, ForeignKey, LargeBinary, Text, func
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class AuthenticatorApp(Model):
    """An app that shows a new code every half minute (TOTP). There is a row once a code of it was entered."""

    __tablename__ = "authenticator_apps"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    secret: Mapped[str] = mapped_column(Text)
    last_step: Mapped[int] = mapped_column(BigInteger)  # the half minute of the last code that was accepted
    added_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())


class RecoveryCode(Model):
    """A code that stands in for the app, once. Only its hash is kept, and no row once it was used."""

    __tablename__ = "recovery_codes"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    code_hash: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
