"""What posts link to."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, Boolean, CheckConstraint, DateTime, ForeignKey, Index, Integer, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class LinkedPage(Model):
    """A page of the web that posts link to, shared by all of them; without a title it has no card."""

    __tablename__ = "linked_pages"
    __table_args__ = (
        CheckConstraint(
            "(picture IS NULL) = (picture_width IS NULL) AND (picture IS NULL) = (picture_height IS NULL)",
            name="picture_is_whole",
        ),
        Index("uq_linked_pages_url", "url", unique=True),
        Index("uq_linked_pages_picture", "picture", unique=True),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    url: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text, server_default=text("''"))
    description: Mapped[str] = mapped_column(Text, server_default=text("''"))
    picture: Mapped[str | None] = mapped_column(Text)  # the name of its file: see `pictures`
    picture_width: Mapped[int | None] = mapped_column(Integer)
    picture_height: Mapped[int | None] = mapped_column(Integer)
    asked_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # the last time, whatever came of it


class PostLink(Model):
    """The link of a post that has a card."""

    __tablename__ = "post_links"
    __table_args__ = (Index("ix_post_links_page_id", "page_id"),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    page_id: Mapped[int] = mapped_column(ForeignKey("linked_pages.id"))
    is_removed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))  # the card, by the author
