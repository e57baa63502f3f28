"""Take on cases, give them back, write notes on them and close them. Each goes on record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update

from app.accounts.models import User
from app.core import clock
from app.core.errors import NotAllowed, Refused
from app.core.statements import is_one_of
from app.core.text import clean, is_blank, too_long_by
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter
from app.moderation.reports.models import OUTCOMES, Case, ModeratorNote, Report

MAX_ANSWER = MAX_NOTE = 1000
NOBODY = "nobody"


class Taken(Refused):
    """A case that another moderator works on, or that was closed meanwhile."""

    code = 409
    field = "case"


class BadOutcome(Refused):
    """No decision."""

    field = "outcome"


class BadAnswer(Refused):
    """An answer that cannot be given."""

    field = "answer"


class BadNote(Refused):
    """A note that says nothing, or too much."""

    field = "text"


@dataclass(frozen=True)
class Handled:
    """What came of deciding about several cases: about how many that was, and why others are as they were."""

    count: int
    left: Sequence[str]


def claim(case: Case, *, by: User, take_over: bool = False) -> None:
    """Take on a case. Of two who want it at once one gets it; an admin can take it from another."""
    lock(case)
    if not case.is_open:
        raise Taken("This report has been closed meanwhile.")
    if case.claimed_by_id == by.id:
        return
    before = _handle(case.claimed_by_id)
    if case.claimed_by_id is not None and not (take_over and by.is_admin):
        raise Taken(f"@{before} is working on this already.")
    case.claimed_by_id, case.claimed_at = by.id, clock.now()
    _enter(actions.REPORT_CLAIMED, case, by, before={"with": before}, after={"with": by.handle})


def give_back(case: Case, *, by: User) -> None:
    """Let somebody else take on a case; an admin can do so for another."""
    lock(case)
    if not case.is_open or case.claimed_by_id is None:
        return
    before = _handle(case.claimed_by_id)
    if case.claimed_by_id != by.id and not by.is_admin:
        raise NotAllowed(f"@{before} is working on this.")
    case.claimed_by_id = case.claimed_at = None
    _enter(actions.REPORT_GIVEN_BACK, case, by, before={"with": before}, after={"with": NOBODY})


def close(case: Case, *, by: User, outcome: str, answer: str = "") -> None:
    """Close a case; its reporters read the outcome and the answer."""
    answer = _checked(outcome, answer)
    lock(case)
    check_free(case, by)
    _close(case, by, outcome, answer)
    _tell_reporters([case.id])


def close_all(case_ids: Sequence[int], *, by: User, outcome: str, answer: str = "") -> Handled:
    """Close several cases at once; those that are closed or with another moderator stay as they are."""
    answer = _checked(outcome, answer)
    closed, left = list[int](), list[str]()
    for case in lock_all(case_ids, by=by):
        try:
            check_free(case, by)
        except Taken as refusal:
            left.append(f"@{case.handle}: {refusal}")
        else:
            _close(case, by, outcome, answer)
            closed.append(case.id)
    _tell_reporters(closed)
    return Handled(len(closed), left)


def lock_all(case_ids: Sequence[int], *, by: User) -> Sequence[Case]:
    """Lock cases, in order, so that no two wait for each other in a circle. Those about the moderator are left out."""
    wanted = select(Case).where(is_one_of(Case.id, case_ids), Case.person_id != by.id).order_by(Case.id)
    return db.session.scalars(wanted.with_for_update(of=Case).execution_options(populate_existing=True)).all()


def add_note(case: Case, text: str, *, by: User) -> None:
    """Write something down for the other moderators. The log does not say what: also whom it is about may read that."""
    text = clean(text)
    if is_blank(text):
        raise BadNote("Write something first.")
    if too_long_by(text, MAX_NOTE):
        raise BadNote(f"A note can have up to {MAX_NOTE} characters.")
    db.session.add(ModeratorNote(case_id=case.id, author=by.handle, text=text))
    enter(actions.REPORT_NOTED, case.about, by=by, reason="", before={}, after={"report": case.id})


def _checked(outcome: str, answer: str) -> str:
    """Return an answer as it is given, or say what is wrong with the decision."""
    if outcome not in OUTCOMES:
        raise BadOutcome("Choose what came of it.")
    answer = clean(answer)
    if too_long_by(answer, MAX_ANSWER):
        raise BadAnswer(f"An answer can have up to {MAX_ANSWER} characters.")
    return answer


def lock(case: Case) -> None:
    """Read a case anew and lock it until the transaction ends."""
    db.session.flush()  # a refresh throws away what was not written yet
    db.session.refresh(case, with_for_update=True)


def check_free(case: Case, by: User) -> None:
    """Refuse to decide what is decided, or what another moderator works on."""
    if not case.is_open:
        raise Taken("This report has been closed meanwhile.")
    if case.claimed_by_id not in (None, by.id):
        raise Taken(f"@{_handle(case.claimed_by_id)} is working on this.")


def _close(case: Case, by: User, outcome: str, answer: str) -> None:
    case.closed_id = db.session.scalar(select(func.next_id()))
    case.closed_by_id, case.outcome, case.answer = by.id, outcome, answer
    _enter(actions.REPORT_CLOSED, case, by, before={"state": "open"}, after={"state": outcome}, reason=answer)


def _tell_reporters(case_ids: Sequence[int]) -> None:
    """Let those who reported know on their next page that something was decided; locked in order, as all are told."""
    if not case_ids:
        return
    db.session.flush()
    reporters = select(Report.reporter_id).where(is_one_of(Report.case_id, case_ids))
    told = select(User.id).where(User.id.in_(reporters)).order_by(User.id).with_for_update(key_share=True)
    ids = db.session.scalars(told).all()
    news = update(User).where(is_one_of(User.id, ids)).values(has_report_news=True)
    db.session.execute(news, execution_options={"synchronize_session": False})


def _handle(user_id: int | None) -> str:
    return db.session.scalar(select(User.handle).where(User.id == user_id)) or NOBODY


def _enter(
    action: str, case: Case, by: User, *, before: dict[str, str], after: dict[str, str | int], reason: str = ""
) -> None:
    enter(action, case.about, by=by, reason=reason, before=before, after={**after, "report": case.id})
