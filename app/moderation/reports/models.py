"""What people report: cases, what each reporter said, and what was reported as it was."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, DateTime, ForeignKey, Index, Integer, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.core import ids
from app.extensions import Model
from app.moderation.log.models import Named

POST, PERSON = KINDS = ("post", "person")
ACTED, NOTHING = OUTCOMES = ("acted", "nothing")
REASONS = {
    "spam": "Spam or a scam",
    "harassment": "Harassment, bullying or threats",
    "hate": "Hate against people for who they are",
    "sexual": "Sexual content that nobody was warned about",
    "violence": "Violence or self-harm",
    "private": "Someone’s private details",
    "pretending": "Pretends to be someone else",
    "illegal": "Against the law",
    "other": "Something else",
}


class Case(Model):
    """Everything that was reported about one post or person, until it is closed; what is reported later is a new one.

    Nothing refers to the post or person: a case outlives them. `closed_id` is the time of the decision, drawn as ids
    are, and its place in the list of closed cases.
    """

    __tablename__ = "report_cases"
    __table_args__ = (
        CheckConstraint("kind IN ('post', 'person')", name="kind"),
        CheckConstraint("(kind = 'post') = (post_id IS NOT NULL)", name="post"),
        CheckConstraint("outcome IN ('acted', 'nothing')", name="outcome"),
        CheckConstraint("(closed_id IS NULL) = (outcome IS NULL)", name="closed_with_outcome"),
        Index(
            "uq_report_cases_post_id",
            "post_id",
            unique=True,
            postgresql_where=text("kind = 'post' AND closed_id IS NULL"),
        ),
        Index(
            "uq_report_cases_person_id",
            "person_id",
            unique=True,
            postgresql_where=text("kind = 'person' AND closed_id IS NULL"),
        ),
        Index("ix_report_cases_open", text("reporters DESC"), "id", postgresql_where=text("closed_id IS NULL")),
        Index("ix_report_cases_closed_id", "closed_id", postgresql_where=text("closed_id IS NOT NULL")),
        Index("ix_report_cases_person_id_id", "person_id", "id"),
        Index("ix_report_cases_claimed_by_id", "claimed_by_id", postgresql_where=text("claimed_by_id IS NOT NULL")),
        Index("ix_report_cases_closed_by_id", "closed_by_id", postgresql_where=text("closed_by_id IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    kind: Mapped[str] = mapped_column(Text)
    post_id: Mapped[int | None] = mapped_column(BigInteger)
    person_id: Mapped[int] = mapped_column(BigInteger)  # the author, where it is about a post
    handle: Mapped[str] = mapped_column(Text)  # of that person at that time
    reporters: Mapped[int] = mapped_column(Integer, server_default=text("0"))
    claimed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    claimed_at: Mapped[datetime | None] = mapped_column(DateTime(timezone=True))
    closed_id: Mapped[int | None] = mapped_column(BigInteger)
    closed_by_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    outcome: Mapped[str | None] = mapped_column(Text)
    answer: Mapped[str] = mapped_column(Text, server_default=text("''"))  # to those who reported

    @property
    def opened_at(self) -> datetime:
        return ids.time_of(self.id)

    @property
    def closed_at(self) -> datetime | None:
        return ids.time_of(self.closed_id) if self.closed_id else None

    @property
    def is_open(self) -> bool:
        return self.closed_id is None

    @property
    def about(self) -> Named:
        """Return whom it is about, as the log names them."""
        return Named(self.person_id, self.handle)


class Report(Model):
    """One person's part in a case, however often they reported; it outlives the reporter's account."""

    __tablename__ = "reports"
    __table_args__ = (
        Index("uq_reports_case_id_reporter_id", "case_id", "reporter_id", unique=True),
        Index("ix_reports_reporter_id_id", "reporter_id", text("id DESC")),
    )

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    case_id: Mapped[int] = mapped_column(ForeignKey("report_cases.id", ondelete="CASCADE"))
    reporter_id: Mapped[int | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

    @property
    def made_at(self) -> datetime:
        return ids.time_of(self.id)


class ReportNote(Model):
    """Why a person reports, each time they do."""

    __tablename__ = "report_notes"
    __table_args__ = (Index("ix_report_notes_report_id_id", "report_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    report_id: Mapped[int] = mapped_column(ForeignKey("reports.id", ondelete="CASCADE"))
    reason: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text, server_default=text("''"))

    @property
    def written_at(self) -> datetime:
        return ids.time_of(self.id)


class Snapshot(Model):
    """What was reported as it was then: a post or, without one, a profile. The same is kept once for each case."""

    __tablename__ = "report_snapshots"
    __table_args__ = (Index("uq_report_snapshots_case_id_digest", "case_id", "digest", unique=True),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    case_id: Mapped[int] = mapped_column(ForeignKey("report_cases.id", ondelete="CASCADE"))
    post_id: Mapped[int | None] = mapped_column(BigInteger)
    said: Mapped[dict[str, Any]] = mapped_column(JSONB)
    digest: Mapped[str] = mapped_column(Text)

    @property
    def taken_at(self) -> datetime:
        return ids.time_of(self.id)


class ModeratorNote(Model):
    """What a moderator wants the others to know about a case."""

    __tablename__ = "moderator_notes"
    __table_args__ = (Index("ix_moderator_notes_case_id_id", "case_id", "id"),)

    id: Mapped[int] = mapped_column(BigInteger, primary_key=True, server_default=text("next_id()"))
    case_id: Mapped[int] = mapped_column(ForeignKey("report_cases.id", ondelete="CASCADE"))
    author: Mapped[str] = mapped_column(Text)  # their handle at that time
    text: Mapped[str] = mapped_column(Text)

    @property
    def written_at(self) -> datetime:
        return ids.time_of(self.id)
