"""What a person can report, and what became of what they reported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.dialects.postgresql import distinct_on

from app.accounts.models import User
from app.core import ids
from app.core.ids import MAX_ID
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import is_one_of
from app.extensions import db
from app.moderation.reports.models import PERSON, REASONS, Case, Report, ReportNote, Snapshot
from app.moderation.reports.operations import MAX_FURTHER_POSTS
from app.posts.cards.cards import PostCard
from app.posts.cards.reading import cards_for
from app.posts.models import Post
from app.posts.visibility import visible_to
from app.social.models import Block

BEING_READ, WAITING = "read", "waiting"  # the states of a report that is open; of a closed one it is the outcome


@dataclass(frozen=True)
class Reason:
    """Why somebody reported, and when."""

    words: str
    note: str
    at: datetime


@dataclass(frozen=True)
class MadeReport:
    """A report as its reporter sees it. Without a handle it is about somebody whom they do not see any more."""

    id: int
    is_about_person: bool
    handle: str | None
    text: str  # what was reported, as it was then
    state: str
    answer: str
    reasons: Sequence[Reason]
    made_at: datetime
    decided_at: datetime | None


def further_posts(person: User, *, viewer: User, but: int | None = None) -> list[PostCard]:
    """Return the last posts of a person that the viewer can report, besides one."""
    theirs = (Post.author_id == person.id, Post.repost_of_id.is_(None), Post.id != (but or 0))
    found = select(Post.id).where(*theirs, visible_to(viewer, muted_too=True))
    newest = db.session.scalars(found.order_by(Post.id.desc()).limit(MAX_FURTHER_POSTS)).all()
    return cards_for(newest, viewer=viewer, muted_too=True)


def reports_by(reporter: User, *, before: int | None) -> tuple[Sequence[MadeReport], int | None]:
    """Return what a person reported, the last first."""
    hidden = exists().where(Block.blocker_id == Case.person_id, Block.blocked_id == reporter.id)
    theirs = select(Report, Case, hidden).join(Case, Case.id == Report.case_id)
    theirs = theirs.where(Report.reporter_id == reporter.id, Report.id < (MAX_ID if before is None else before))
    rows = db.session.execute(theirs.order_by(Report.id.desc()).limit(PAGE_SIZE + 1)).all()
    page, below = cut(rows, key=lambda row: row[0].id)
    reasons = reasons_of([report.id for report, _, _ in page])
    texts = first_texts([case.id for _, case, _ in page])
    made = [
        _made(report, case, is_hidden, reasons.get(report.id, []), texts.get(case.id, ""))
        for report, case, is_hidden in page
    ]
    return made, below


def _made(report: Report, case: Case, is_hidden: bool, reasons: Sequence[Reason], text: str) -> MadeReport:
    return MadeReport(
        id=report.id,
        is_about_person=case.kind == PERSON,
        handle=None if is_hidden else case.handle,
        text="" if is_hidden else text,
        state=case.outcome or (BEING_READ if case.claimed_by_id else WAITING),
        answer=case.answer,
        reasons=reasons,
        made_at=report.made_at,
        decided_at=case.closed_at,
    )


def reasons_of(report_ids: Sequence[int]) -> dict[int, list[Reason]]:
    """Return why each report was made, in the order in which its reporter wrote it."""
    notes = select(ReportNote).where(is_one_of(ReportNote.report_id, report_ids)).order_by(ReportNote.id)
    found: dict[int, list[Reason]] = {}
    for note in db.session.scalars(notes):
        reason = Reason(REASONS.get(note.reason, note.reason), note.note, ids.time_of(note.id))
        found.setdefault(note.report_id, []).append(reason)
    return found


def first_texts(case_ids: Sequence[int]) -> dict[int, str]:
    """Return what was reported first in each case, in words."""
    first = select(Snapshot.case_id, Snapshot.said).where(is_one_of(Snapshot.case_id, case_ids))
    first = first.ext(distinct_on(Snapshot.case_id)).order_by(Snapshot.case_id, Snapshot.id)
    return {row.case_id: row.said.get("warning") or row.said["text"] for row in db.session.execute(first)}
