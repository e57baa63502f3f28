"""Rules about what is posted, and what they matched."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, Boolean, CheckConstraint, ForeignKey, Index, Integer, Text
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from app.accounts.models import User
from app.core import ids
from app.extensions import Model

FLAG, WARN, HOLD, REFUSE = "flag", "warn", "hold", "refuse"
ON, OFF, BROKEN = "on", "off", "broken"


class Rule(Model):
    """What a post must be like for something to happen to it: all the conditions that are given hold.

    A run is its dry run over the posts of the last days: `run` tells one from the next.
    """

    __tablename__ = "rules"
    __table_args__ = (
        CheckConstraint("action IN ('flag', 'warn', 'hold', 'refuse')", name="action"),
        CheckConstraint("state IN ('on', 'off', 'broken')", name="state"),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=sql("next_id()"))
    name: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    sentence: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # to the author, or the warning
    state: Mapped[str] = mapped_column(Text, server_default=sql("'off'"))
    broken_by: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # what went wrong, if it is broken
    phrases: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # one a line
    is_whole_word: Mapped[bool] = mapped_column(Boolean, server_default=sql("true"))
    pattern: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # the phrases as one regular expression
    domains: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # one a line
    younger_than: Mapped[int | None] = mapped_column(Integer)  # the account, in days
    links_over: Mapped[int | None] = mapped_column(Integer)  # posts with links in a day, this one among them
    mentions_over: Mapped[int | None] = mapped_column(Integer)  # mentions in an hour, those of this post among them
    run: Mapped[int] = mapped_column(Integer, server_default=sql("0"))
    run_from: Mapped[int | None] = mapped_column(BigInteger)  # posts above this
    run_at: Mapped[int | None] = mapped_column(BigInteger)  # which have been looked at up to here
    run_to: Mapped[int | None] = mapped_column(BigInteger)
    run_matched: Mapped[int] = mapped_column(Integer, server_default=sql("0"))
    run_newest: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=sql("'{}'"))  # of those

    @property
    def is_on(self) -> bool:
        return self.state == ON

    @property
    def is_broken(self) -> bool:
        return self.state == BROKEN

    @property
    def is_running(self) -> bool:
        """Say whether a dry run is under way."""
        return self.run_to is not None and self.run_at is not None and self.run_at < self.run_to

    @property
    def percent_run(self) -> int:
        """Return how far the dry run is."""
        if self.run_to is None or self.run_at is None or self.run_from is None or not self.is_running:
            return 100
        return 100 * (self.run_at - self.run_from) // max(1, self.run_to - self.run_from)


class RuleMatch(Model):
    """A post that a rule matched, or a text that it refused."""

    __tablename__ = "rule_matches"
    __table_args__ = (
        Index("ix_rule_matches_rule_id_id", "rule_id", sql("id DESC")),
        Index("ix_rule_matches_author_id", "author_id"),
        Index("ix_rule_matches_post_id", "post_id", postgresql_where=sql("post_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=sql("next_id()"))
    rule_id: Mapped[int] = mapped_column(ForeignKey("rules.id", ondelete="CASCADE"))
    author_id: Mapped[int] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    post_id: Mapped[int | None] = mapped_column(ForeignKey("posts.id", ondelete="CASCADE"))  # none that was refused
    said: Mapped[str] = mapped_column(Text, server_default=sql("''"))  # what was refused

    author: Mapped[User] = relationship(lazy="raise")
    rule: Mapped[Rule] = relationship(lazy="raise")

    @property
    def at(self) -> datetime:
        return ids.time_of(self.id)
