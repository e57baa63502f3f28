"""What those who run the site have set, where it differs from the environment."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Identity, Integer, SmallInteger, Text, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.extensions import Model

OPEN, INVITE, APPROVAL, CLOSED = SIGNUPS = ("open", "invite", "approval", "closed")
EVERYONE, MEMBERS = AUDIENCES = ("everyone", "members")
STAFF_INVITES, MEMBERS_INVITE = INVITERS = ("staff", "members")
MAX_POST_CHARS = 10_000


class SiteSettings(Model):
    """The one row of settings; before the first change there is none. NULL leaves it to the environment."""

    __tablename__ = "site_settings"
    __table_args__ = (
        CheckConstraint("id = 1", name="one_row"),
        CheckConstraint("colour ~ '^#[0-9a-f]{6}$'", name="colour"),
        CheckConstraint("signups IN ('open', 'invite', 'approval', 'closed')", name="signups"),
        CheckConstraint("inviters IN ('staff', 'members')", name="inviters"),
        CheckConstraint("audience IN ('everyone', 'members')", name="audience"),
        CheckConstraint(f"post_max_chars BETWEEN 1 AND {MAX_POST_CHARS}", name="post_max_chars"),
        CheckConstraint("celebrity_followers >= 0", name="celebrity_followers"),
    )

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False, server_default=text("1"))
    version: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))  # one more with every change
    changed_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    name: Mapped[str | None] = mapped_column(Text)
    description: Mapped[str] = mapped_column(Text, server_default=text("''"))
    icon: Mapped[str | None] = mapped_column(Text)  # the name of its file
    colour: Mapped[str | None] = mapped_column(Text)
    about: Mapped[str] = mapped_column(Text, server_default=text("''"))
    rules: Mapped[str] = mapped_column(Text, server_default=text("''"))
    privacy: Mapped[str] = mapped_column(Text, server_default=text("''"))
    contact: Mapped[str] = mapped_column(Text, server_default=text("''"))
    links: Mapped[list[Any]] = mapped_column(JSONB, server_default=text("'[]'"))  # in the footer: [words, address]
    signups: Mapped[str | None] = mapped_column(Text)
    inviters: Mapped[str] = mapped_column(Text, server_default=text("'staff'"))
    audience: Mapped[str] = mapped_column(Text, server_default=text("'everyone'"))
    post_max_chars: Mapped[int | None] = mapped_column(Integer)
    celebrity_followers: Mapped[int | None] = mapped_column(Integer)


class AnnouncementRow(Model):
    """Something that is said above every feed for a while."""

    __tablename__ = "announcements"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    starts_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    ends_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
