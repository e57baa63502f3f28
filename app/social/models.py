"""The graph of people. Each row has an id from `next_id()`, which is its time and its place in lists."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model

# How much of what an author writes a follower wants to read.
ALL_REPLIES, ALL, NO_REPLIES, NO_REPOSTS, HIGHLIGHTS = "all_replies", "all", "no_replies", "no_reposts", "highlights"
VOLUMES = (ALL_REPLIES, ALL, NO_REPLIES, NO_REPOSTS, HIGHLIGHTS)
WITH_REPOSTS = (ALL_REPLIES, ALL, NO_REPLIES)
# What of a person is muted.
EVERYTHING, REPOSTS = "all", "reposts"
SCOPES = (EVERYTHING, REPOSTS)


class Follow(Model):
    """`follower` reads what `followed` writes, at some volume."""

    __tablename__ = "follows"
    __table_args__ = (
        CheckConstraint("follower_id <> followed_id", name="not_oneself"),
        CheckConstraint("volume IN ('all_replies', 'all', 'no_replies', 'no_reposts', 'highlights')", name="volume"),
        Index("ix_follows_followed_id_id", "followed_id", text("id DESC")),
        Index("ix_follows_follower_id_id", "follower_id", text("id DESC")),
    )

    follower_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    followed_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))
    volume: Mapped[str] = mapped_column(Text, server_default=text("'all'"))


class FollowRequest(Model):
    """`requester` wants to read what `target`, a private account, writes."""

    __tablename__ = "follow_requests"
    __table_args__ = (
        CheckConstraint("requester_id <> target_id", name="not_oneself"),
        Index("ix_follow_requests_target_id_id", "target_id", text("id DESC")),
    )

    requester_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class Mute(Model):
    """`muter` does not want to come across `muted`, or what they repost, until some time or for ever."""

    __tablename__ = "mutes"
    __table_args__ = (
        CheckConstraint("muter_id <> muted_id", name="not_oneself"),
        CheckConstraint("scope IN ('all', 'reposts')", name="scope"),
        Index("ix_mutes_muter_id_id", "muter_id", text("id DESC")),
        Index("ix_mutes_muted_id", "muted_id"),
    )

    muter_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    muted_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))
    scope: Mapped[str] = mapped_column(Text, server_default=text("'all'"))
    until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))


class Block(Model):
    """`blocker` and `blocked` do not exist for each other."""

    __tablename__ = "blocks"
    __table_args__ = (
        CheckConstraint("blocker_id <> blocked_id", name="not_oneself"),
        Index("ix_blocks_blocker_id_id", "blocker_id", text("id DESC")),
        Index("ix_blocks_blocked_id", "blocked_id", "blocker_id"),
    )

    blocker_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    blocked_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))
