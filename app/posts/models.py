"""What people write."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Index, Text, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.accounts.models import User
from app.core import ids
from app.extensions import Model


class Post(Model):
    """A post. Its id is its time and its place in every feed. A deleted one stays as an empty row that says "gone"."""

    __tablename__ = "posts"
    __table_args__ = (
        CheckConstraint("(deleted_at IS NULL) = (text <> '')", name="text_unless_deleted"),
        Index("ix_posts_author_id_id", "author_id", text("id DESC"), postgresql_where=text("deleted_at IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    author_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    text: Mapped[str] = mapped_column(Text)
    deleted_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    author: Mapped[User] = relationship(lazy="raise")

    @property
    def created_at(self) -> datetime:
        return ids.time_of(self.id)


class PostCounters(Model):
    """How many, of one post; kept by triggers of the database. No row means none."""

    __tablename__ = "post_counters"

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    likes: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class Like(Model):
    """Somebody likes a post, and everybody who sees it may know."""

    __tablename__ = "likes"
    __table_args__ = (
        Index("ix_likes_user_id_id", "user_id", text("id DESC")),
        Index("ix_likes_post_id_id", "post_id", text("id DESC")),
    )

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class Bookmark(Model):
    """Somebody wants to find a post again, and nobody else knows."""

    __tablename__ = "bookmarks"
    __table_args__ = (Index("ix_bookmarks_user_id_id", "user_id", text("id DESC")),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class PostMention(Model):
    """A post that names somebody who existed when it was written."""

    __tablename__ = "post_mentions"
    __table_args__ = (Index("ix_post_mentions_user_id", "user_id", text("post_id DESC")),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)


class PostTag(Model):
    """A post under a tag."""

    __tablename__ = "post_tags"
    __table_args__ = (Index("ix_post_tags_tag", "tag", text("post_id DESC")),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(Text, primary_key=True)
