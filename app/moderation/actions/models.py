"""What those who run the site did to posts and people, and what those said to it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, ForeignKey, Index, Text
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.accounts.models import User
from app.core import clock, ids
from app.extensions import Model
from app.moderation.actions.kinds import KINDS, Kind


class ModerationAction(Model):
    """One thing that was done to a person, or to a post of theirs; it goes with the account.

    What holds of it is in the columns of posts and users. It stays after it is over or undone, for the next moderator.
    """

    __tablename__ = "moderation_actions"
    __table_args__ = (
        Index("ix_moderation_actions_person_id_id", "person_id", sql("id DESC")),
        Index("ix_moderation_actions_post_id", "post_id", "id", postgresql_where=sql("post_id IS NOT NULL")),
        Index(
            "ix_moderation_actions_until",
            "until",
            postgresql_where=sql("over_at IS NULL AND until IS NOT NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=sql("next_id()"))
    action: Mapped[str] = mapped_column(Text)
    person_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    post_id: Mapped[int | None] = mapped_column(BigInteger)
    post_text: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # what it said then
    mark: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # the warning that was put on it
    actor_id: Mapped[int] = mapped_column(BigInteger)
    actor: Mapped[str] = mapped_column(Text)  # their handle at that time
    reason: Mapped[str] = mapped_column(Text, server_default=sql("''"))
    until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # for ever without one
    told_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when the person opened the decision
    over_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when its end was noted
    undone_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    undone_by: Mapped[str | None] = mapped_column(Text)

    person: Mapped[User] = relationship(lazy="raise")
    appeal: Mapped[Appeal | None] = relationship(lazy="raise", viewonly=True)

    @property
    def kind(self) -> Kind:
        return KINDS[self.action]

    @property
    def at(self) -> datetime:
        return ids.time_of(self.id)

    @property
    def is_over(self) -> bool:
        """Say whether its time is up."""
        return self.until is not None and self.until <= clock.now()

    @property
    def is_undone(self) -> bool:
        return self.undone_at is not None


class Appeal(Model):
    """What a person says to a decision about them, once; and the answer."""

    __tablename__ = "appeals"
    __table_args__ = (Index("ix_appeals_id", "id", unique=True),)

    action_id: Mapped[int] = mapped_column(ForeignKey("moderation_actions.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=sql("next_id()"))
    text: Mapped[str] = mapped_column(Text)
    decided_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    decided_by: Mapped[str | None] = mapped_column(Text)
    is_accepted: Mapped[bool | None] = mapped_column()
    answer: Mapped[str] = mapped_column(Text, server_default=sql("''"))

    action: Mapped[ModerationAction] = relationship(lazy="raise", viewonly=True)

    @property
    def at(self) -> datetime:
        return ids.time_of(self.id)
