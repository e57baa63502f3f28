"""The graph of people. Each row has an id from `next_id()`, which is its time and its place in lists."""

from __future__ import annotations

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model


class Follow(Model):
    """`follower` reads what `followed` writes."""

    __tablename__ = "follows"
    __table_args__ = (
        CheckConstraint("follower_id <> followed_id", name="not_oneself"),
        Index("ix_follows_followed_id_id", "followed_id", text("id DESC")),
        Index("ix_follows_follower_id_id", "follower_id", text("id DESC")),
    )

    follower_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    followed_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class Mute(Model):
    """`muter` does not want to come across `muted`, who does not learn of it."""

    __tablename__ = "mutes"
    __table_args__ = (
        CheckConstraint("muter_id <> muted_id", name="not_oneself"),
        Index("ix_mutes_muter_id_id", "muter_id", text("id DESC")),
        Index("ix_mutes_muted_id", "muted_id"),
    )

    muter_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    muted_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


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
