"""People, and the browsers they are logged in with."""

from __future__ import annotations

from datetime import datetime

from flask_login import UserMixin
from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Computed,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    Text,
    false,
    func,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app import addresses
from app.core import clock
from app.extensions import Model

REMIND, REQUIRE, NEVER = DESCRIPTIONS = ("remind", "require", "never")
# An admin may do everything; a moderator decides about posts and people; a member is everybody else.
ADMIN, MODERATOR, MEMBER = ROLES = ("admin", "moderator", "member")
STAFF = (ADMIN, MODERATOR)


class User(UserMixin, Model):
    """A person with an account. `deleted_at` hides it everywhere at once; a job then purges the rows."""

    __tablename__ = "users"
    __table_args__ = (
        Index("uq_users_handle_lower", func.lower(text("handle")), unique=True),
        # Not unique: nobody has proved an address, and refusing a known one would tell strangers that it is known.
        Index("ix_users_email", "email"),
        Index(
            "ix_users_handle_prefix",
            func.lower(text("handle")).label("handle"),
            postgresql_ops={"handle": "text_pattern_ops"},
        ),
        Index(
            "ix_users_name_words", func.to_tsvector(text("'simple'::regconfig"), text("name")), postgresql_using="gin"
        ),
        Index("ix_users_words", "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
        CheckConstraint("handle ~ '^[A-Za-z0-9_]{2,30}$'", name="handle"),
        CheckConstraint("role IN ('member', 'moderator', 'admin')", name="role"),
        CheckConstraint("repeat_hours >= 0", name="repeat_hours"),
        CheckConstraint("descriptions IN ('remind', 'require', 'never')", name="descriptions"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    handle: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    email: Mapped[str] = mapped_column(Text)
    password_hash: Mapped[str] = mapped_column(Text)
    bio: Mapped[str] = mapped_column(Text, server_default=text("''"))
    avatar: Mapped[str | None] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text, server_default=text("'member'"))
    is_private: Mapped[bool] = mapped_column(server_default=false())  # only approved followers read what they write
    # How long a repost of something that was in this reader's feed already is a repeat; 0 shows all of them.
    repeat_hours: Mapped[int] = mapped_column(server_default=text("72"))
    hides_own_reposts: Mapped[bool] = mapped_column(server_default=false())  # never again what they reposted themselves
    descriptions: Mapped[str] = mapped_column(
        Text, server_default=text("'remind'")
    )  # of images, before they are posted
    groups_conversations: Mapped[bool] = mapped_column(server_default=true())  # in their home, in one piece
    starts_at_top: Mapped[bool] = mapped_column(server_default=false())  # of new posts, not at the oldest of them
    dismissed: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))  # announcements
    time_zone: Mapped[str | None] = mapped_column(Text)  # its name; NULL until it is guessed or chosen
    email_confirmed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    has_report_news: Mapped[bool] = mapped_column(server_default=false())  # a report of theirs was decided
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    deleted_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    # How the account stands with those who run the site, until a moment (`standing.py`); what they did sets these.
    limited_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    frozen_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    suspended_until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    erased_from: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))  # when a suspended one is deleted
    notice_id: Mapped[int | None] = mapped_column(BigInteger)  # a decision about them that they have not opened yet
    must_acknowledge: Mapped[bool] = mapped_column(server_default=false())  # it, before they go on
    # What the search finds a person by: the database keeps it, and no query loads it.
    words: Mapped[str] = mapped_column(
        TSVECTOR,
        Computed("to_tsvector('simple', plain_words(handle || ' ' || name))", persisted=True),
        deferred=True,
        deferred_raiseload=True,
    )

    counters: Mapped[UserCounters] = relationship(lazy="raise", viewonly=True)

    # The session that this request came with; set by the loader and at log-in, never stored here.
    __allow_unmapped__ = True
    session_token: str | None = None
    session_id: int | None = None

    def get_id(self) -> str:
        """Return what the cookie keeps: the token of the session, not the person's id, so that it can be revoked."""
        assert self.session_token is not None, "log in through sessions.start"
        return self.session_token

    @property
    def is_admin(self) -> bool:
        return self.role == ADMIN

    @property
    def is_staff(self) -> bool:
        return self.role in STAFF

    @property
    def is_frozen(self) -> bool:
        return clock.holds(self.frozen_until)

    @property
    def is_suspended(self) -> bool:
        return clock.holds(self.suspended_until)

    @property
    def is_limited(self) -> bool:
        return clock.holds(self.limited_until)

    @property
    def url(self) -> str:
        return addresses.profile(self.handle)


class UserCounters(Model):
    """How many; kept by triggers of the database in the transaction that changes the rows they count."""

    __tablename__ = "user_counters"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    followers: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    following: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    posts: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class LoginSession(Model):
    """One browser that is logged in. Only the hash of its token is kept."""

    __tablename__ = "sessions"
    __table_args__ = (
        Index("uq_sessions_token_hash", "token_hash", unique=True),
        Index("ix_sessions_user_id", "user_id"),
        Index("ix_sessions_expires_at", "expires_at"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    token_hash: Mapped[bytes] = mapped_column(LargeBinary)
    agent: Mapped[str] = mapped_column(Text, server_default=text("''"))
    address: Mapped[str] = mapped_column(Text, server_default=text("''"))
    created_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    last_seen_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
    expires_at: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    # When it was last shown, by password or code, whose session this is; see `app/accounts/sudo/`.
    proven_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True), server_default=func.now())


class RetiredHandle(Model):
    """A handle whose account was deleted. Nobody may take it and speak in the old name."""

    __tablename__ = "retired_handles"

    handle: Mapped[str] = mapped_column(Text, primary_key=True)
    retired_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=func.now())
