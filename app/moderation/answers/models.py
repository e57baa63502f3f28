"""Answers that moderators give often."""

from __future__ import annotations

from sqlalchemy import BigInteger, Identity, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class CannedAnswer(Model):
    """What moderators can answer to those who reported something, without writing it anew."""

    __tablename__ = "canned_answers"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
