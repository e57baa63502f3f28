"""The cases that moderators work on, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Select, and_, func, or_, select

from app.accounts.models import User
from app.accounts.reader import Reader
from app.core.paging import PAGE_SIZE
from app.core.statements import is_one_of
from app.extensions import db
from app.moderation.reports.models import REASONS, Case, Report, ReportNote
from app.moderation.reports.queries import first_texts

OPEN, MINE, CLOSED = TABS = ("open", "mine", "closed")
MAX_COUNTED = 100


@dataclass(frozen=True)
class CaseRow:
    """A case as the list shows it."""

    case: Case
    text: str  # what was reported first, as it was then
    reasons: Sequence[tuple[str, int]]  # and how many gave each, the most frequent first
    with_handle: str | None  # who works on it


def page_of_cases(tab: str, *, viewer: User, at: Sequence[int]) -> tuple[Sequence[CaseRow], Sequence[int] | None]:
    """Return a page of cases and where the next one starts: the most reported first and of these the oldest.

    Of closed ones the last that was closed. None is about the viewer.
    """
    cases = (_closed(at) if tab == CLOSED else _open(at)).where(Case.person_id != viewer.id)
    if tab == MINE:
        cases = cases.where(Case.claimed_by_id == viewer.id)
    rows = db.session.execute(cases.limit(PAGE_SIZE + 1)).all()
    page = rows[:PAGE_SIZE]
    texts, reasons = first_texts([case.id for case, _ in page]), _reasons([case.id for case, _ in page])
    shown = [CaseRow(case, texts.get(case.id, ""), reasons.get(case.id, []), handle) for case, handle in page]
    return shown, _place(shown[-1].case) if len(rows) > PAGE_SIZE else None


def number_open(viewer: Reader) -> int:
    """Return how many cases are open that the viewer may see, as far as they are counted."""
    some = select(Case.id).where(Case.closed_id.is_(None), Case.person_id != viewer.id).limit(MAX_COUNTED).subquery()
    return db.session.scalar(select(func.count()).select_from(some)) or 0


def _cases() -> Select[Case, str | None]:
    return select(Case, User.handle).outerjoin(User, User.id == Case.claimed_by_id)


def _open(at: Sequence[int]) -> Select[Case, str | None]:
    cases = _cases().where(Case.closed_id.is_(None)).order_by(Case.reporters.desc(), Case.id)
    if not at:
        return cases
    reporters, case_id = at
    return cases.where(or_(Case.reporters < reporters, and_(Case.reporters == reporters, Case.id > case_id)))


def _closed(at: Sequence[int]) -> Select[Case, str | None]:
    cases = _cases().where(Case.closed_id.is_not(None)).order_by(Case.closed_id.desc())
    return cases.where(Case.closed_id < at[0]) if at else cases


def _place(case: Case) -> Sequence[int]:
    return (case.reporters, case.id) if case.closed_id is None else (case.closed_id,)


def _reasons(case_ids: Sequence[int]) -> dict[int, list[tuple[str, int]]]:
    """Return which reasons were given in each case, and by how many."""
    number = func.count(Report.id.distinct())
    given = select(Report.case_id, ReportNote.reason, number).join(ReportNote, ReportNote.report_id == Report.id)
    given = given.where(is_one_of(Report.case_id, case_ids)).group_by(Report.case_id, ReportNote.reason)
    found: dict[int, list[tuple[str, int]]] = {}
    for case_id, reason, count in db.session.execute(given.order_by(number.desc(), ReportNote.reason)):
        found.setdefault(case_id, []).append((REASONS.get(reason, reason), count))
    return found
