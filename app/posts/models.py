"""What people write."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Computed,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    Text,
    text,
)
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column, relationship
from sqlalchemy.orm.util import AliasedClass

from app.accounts.models import User
from app.core import clock, ids
from app.core.statements import AnyViewer
from app.extensions import Model
from app.posts.decided import Decided

EVERYONE, FOLLOWERS, MENTIONED = "everyone", "followers", "mentioned"
AUDIENCES = (EVERYONE, FOLLOWERS, MENTIONED)


class Post(Decided, Model):
    """An entry of feeds: a post, or a repost of one. Its id is its time and its place in every feed.

    A deleted post stays as an empty row that says "gone". What it answers or quotes may be gone without a trace: these
    are no foreign keys, so that an answer still knows that it is one.
    """

    __tablename__ = "posts"
    __table_args__ = (
        CheckConstraint("audience IN ('everyone', 'followers', 'mentioned')", name="audience"),
        CheckConstraint("deleted_at IS NULL OR (text = '' AND warning = '')", name="nothing_when_deleted"),
        CheckConstraint(
            "repost_of_id IS NULL OR"
            " (text = '' AND quote_of_id IS NULL AND reply_to_id IS NULL AND audience = 'everyone')",
            name="repost_is_bare",
        ),
        CheckConstraint(
            "(reply_to_id IS NULL) = (thread_id IS NULL) AND (reply_to_id IS NULL) = (reply_to_author_id IS NULL)",
            name="reply_is_whole",
        ),
        Index("ix_posts_author_id_id", "author_id", text("id DESC"), postgresql_where=text("deleted_at IS NULL")),
        Index("ix_posts_repost_of_id", "repost_of_id", "id", postgresql_where=text("repost_of_id IS NOT NULL")),
        Index("ix_posts_quote_of_id", "quote_of_id", "id", postgresql_where=text("quote_of_id IS NOT NULL")),
        Index("ix_posts_reply_to_id", "reply_to_id", "id", postgresql_where=text("reply_to_id IS NOT NULL")),
        Index("ix_posts_thread_id", "thread_id", "id", postgresql_where=text("thread_id IS NOT NULL")),
        Index(
            "uq_posts_author_id_repost_of_id",
            "author_id",
            "repost_of_id",
            unique=True,
            postgresql_where=text("repost_of_id IS NOT NULL"),
        ),
        Index("uq_posts_author_id_once", "author_id", "once", unique=True, postgresql_where=text("once IS NOT NULL")),
        Index("ix_posts_held", "id", postgresql_where=text("held_at IS NOT NULL")),
        Index("ix_posts_words", "words", postgresql_using="gin", postgresql_with={"fastupdate": "off"}),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    author_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    # The form that it was made of, which makes one post however often it is sent: nobody loads it.
    once: Mapped[str | None] = mapped_column(Text, deferred=True, deferred_raiseload=True)
    warning: Mapped[str] = mapped_column(Text, server_default=text("''"))  # shown instead of the text until opened
    audience: Mapped[str] = mapped_column(Text, server_default=text("'everyone'"))
    text: Mapped[str] = mapped_column(Text)  # from here on the name is taken
    repost_of_id: Mapped[int | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"))
    quote_of_id: Mapped[int | None] = mapped_column(BigInteger)
    reply_to_id: Mapped[int | None] = mapped_column(BigInteger)
    reply_to_author_id: Mapped[int | None] = mapped_column(BigInteger)
    thread_id: Mapped[int | None] = mapped_column(BigInteger)  # the first post of the conversation; null for itself
    edited_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    deleted_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    words: Mapped[str] = mapped_column(  # what it is found by: the database keeps it, and nobody loads it
        TSVECTOR,
        Computed("to_tsvector('simple', plain_words(warning || ' ' || text))", persisted=True),
        deferred=True,
        deferred_raiseload=True,
    )

    author: Mapped[User] = relationship(lazy="raise")

    @property
    def created_at(self) -> datetime:
        return ids.time_of(self.id)

    @property
    def conversation_id(self) -> int:
        return self.thread_id or self.id


class PostVersion(Model):
    """What a post said before it was edited; its id is the time at which it was replaced."""

    __tablename__ = "post_versions"

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    text: Mapped[str] = mapped_column(Text)
    warning: Mapped[str] = mapped_column(Text)

    @property
    def replaced_at(self) -> datetime:
        return ids.time_of(self.id)


class PostCounters(Model):
    """How many, of one post; kept by triggers of the database. No row means none."""

    __tablename__ = "post_counters"

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    likes: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    replies: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    reposts: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    quotes: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    all_reposts: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))  # also those that few may see


class Like(Model):
    """A reader likes a post, and everybody who sees it may know."""

    __tablename__ = "likes"
    __table_args__ = (
        Index("ix_likes_user_id_id", "user_id", text("id DESC")),
        Index("ix_likes_post_id_id", "post_id", text("id DESC")),
    )

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class Bookmark(Model):
    """A reader wants to find a post again, and nobody else knows."""

    __tablename__ = "bookmarks"
    __table_args__ = (Index("ix_bookmarks_user_id_id", "user_id", text("id DESC")),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))


class PostMention(Model):
    """A post that names a person who existed when it was written."""

    __tablename__ = "post_mentions"
    __table_args__ = (Index("ix_post_mentions_user_id", "user_id", text("post_id DESC")),)

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)


class PostTag(Model):
    """A post under a tag."""

    __tablename__ = "post_tags"
    __table_args__ = (
        Index("ix_post_tags_tag", "tag", text("post_id DESC"), postgresql_ops={"tag": "text_pattern_ops"}),
    )

    post_id: Mapped[int] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(Text, primary_key=True)


class PostImage(Model):
    """An image of a post; without one while it waits to be posted. Its files are named in `image_files`."""

    __tablename__ = "post_images"
    __table_args__ = (
        CheckConstraint("position BETWEEN 0 AND 3", name="position"),
        Index("uq_post_images_file", "file", unique=True),
        Index("uq_post_images_post_id_position", "post_id", "position", unique=True),
        Index("ix_post_images_owner_id", "owner_id"),
        Index("ix_post_images_waiting", "id", postgresql_where=text("post_id IS NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    post_id: Mapped[int | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"))
    position: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    file: Mapped[str] = mapped_column(Text)
    width: Mapped[int] = mapped_column(Integer)
    height: Mapped[int] = mapped_column(Integer)
    is_moving: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    alt: Mapped[str] = mapped_column(Text, server_default=text("''"))

    @property
    def created_at(self) -> datetime:
        return ids.time_of(self.id)


class TagFollow(Model):
    """A reader wants the posts under a tag in their home feed."""

    __tablename__ = "tag_follows"
    __table_args__ = (Index("ix_tag_follows_tag", "tag"),)

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    tag: Mapped[str] = mapped_column(Text, primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))

    @property
    def followed_at(self) -> datetime:
        return ids.time_of(self.id)


class MutedConversation(Model):
    """A reader has read enough of a conversation, named by its first post."""

    __tablename__ = "muted_conversations"

    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    thread_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    id: Mapped[int] = mapped_column(BigInteger, server_default=text("next_id()"))

    @property
    def muted_at(self) -> datetime:
        return ids.time_of(self.id)


HIDE, COLLAPSE = "hide", "collapse"


class WordFilter(Model):
    """Words that a reader does not want to read: posts with them are left out, or collapsed until opened."""

    __tablename__ = "word_filters"
    __table_args__ = (
        Index("ix_word_filters_user_id", "user_id"),
        CheckConstraint("action IN ('hide', 'collapse')", name="action"),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    phrase: Mapped[str] = mapped_column(Text)
    pattern: Mapped[str] = mapped_column(Text)  # the phrase as a regular expression of Postgres
    is_whole_word: Mapped[bool]
    action: Mapped[str] = mapped_column(Text)
    until: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))

    @property
    def is_over(self) -> bool:
        return self.until is not None and self.until <= clock.now()


PostRow = type[Post] | AliasedClass[Post]
Viewer = User | AnyViewer | None
