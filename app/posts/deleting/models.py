"""What was just deleted."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ARRAY, DateTime, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class DeletedPost(Model):
    """What a deleted post said, until it is too late to bring it back; its own row says nothing from then on."""

    __tablename__ = "deleted_posts"

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    warning: Mapped[str] = mapped_column(Text)
    tags: Mapped[list[str]] = mapped_column(ARRAY(Text))
    deleted_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
