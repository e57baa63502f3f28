"""Report posts and people. Reporting again adds to the same report."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.core.errors import NotAllowed, Refused
from app.core.statements import rows_changed
from app.core.text import clean, too_long_by
from app.extensions import db
from app.moderation.reports import snapshots
from app.moderation.reports.models import PERSON, POST, REASONS, Case, Report, ReportNote
from app.posts.facts import Facts
from app.posts.models import Post

MAX_NOTE, MAX_NOTES = 1000, 10
MAX_FURTHER_POSTS = 20


class BadReason(Refused):
    """A reason that is not on the list."""

    field = "reason"


class BadNote(Refused):
    """A note that cannot be kept."""

    field = "note"


class TooManyPosts(Refused):
    """More posts than one report holds."""

    field = "posts"


def report_post(post: Post, *, by: User, reason: str, note: str = "", further: Sequence[int] = ()) -> None:
    """Report a post, and further ones by the same author with it."""
    _refuse_oneself(post.author_id, by)
    posts = _checked_posts(post.author, [post.id, *further], by)
    if all(each.id != post.id for each in posts):
        raise NotAllowed("This post isn’t there any more, so it can’t be reported.")
    _report(POST, post.author, posts, by=by, reason=reason, note=note, post_id=post.id)


def report_person(person: User, *, by: User, reason: str, note: str = "", further: Sequence[int] = ()) -> None:
    """Report a person, and some of their posts with them."""
    _refuse_oneself(person.id, by)
    _report(PERSON, person, _checked_posts(person, further, by), by=by, reason=reason, note=note)


def hear_news(*, by: User) -> bool:
    """Note that a reporter has read what became of their reports; say whether there was something new."""
    news = update(User).where(User.id == by.id, User.has_report_news)
    return bool(rows_changed(news.values(has_report_news=False)))


def _refuse_oneself(person_id: int, by: User) -> None:
    if person_id == by.id:
        raise NotAllowed("You can’t report yourself.")


def _checked_posts(person: User, ids: Sequence[int], by: User) -> list[Facts]:
    """Return the posts that are reported, of those that were ticked: what is gone or out of sight is left out."""
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MAX_FURTHER_POSTS + 1:
        raise TooManyPosts(f"Up to {MAX_FURTHER_POSTS} more posts fit into a report.")
    found = {post.id: post for post in snapshots.visible_posts(wanted, of=person, viewer=by)} if wanted else {}
    return [found[post_id] for post_id in wanted if post_id in found]


def _report(
    kind: str, person: User, posts: Sequence[Facts], *, by: User, reason: str, note: str, post_id: int | None = None
) -> None:
    if reason not in REASONS:
        raise BadReason("Choose what’s wrong.")
    note = clean(note)
    if too_long_by(note, MAX_NOTE):
        raise BadNote(f"A note can have up to {MAX_NOTE} characters.")
    case_id = _open_case(kind, person, post_id)
    _add_note(_report_in(case_id, by), reason, note)
    snapshots.keep(case_id, person, posts, profile_too=kind == PERSON)


def _open_case(kind: str, person: User, post_id: int | None) -> int:
    """Return the open case about a post or person, with its row locked; there is one from now on.

    Of several first reports at once one opens it and the others wait for that. One that waits for a case to be closed
    opens the next.
    """
    case = insert(Case).values(kind=kind, post_id=post_id, person_id=person.id, handle=person.handle)
    column, where = ("post_id", POST) if kind == POST else ("person_id", PERSON)
    locked = case.on_conflict_do_update(
        index_elements=[column],
        index_where=text(f"kind = '{where}' AND closed_id IS NULL"),
        set_={"handle": person.handle},
    )
    return db.session.scalars(locked.returning(Case.id)).one()


def _report_in(case_id: int, by: User) -> int:
    """Return the report of a person in a case, whose row is locked; the first counts."""
    report = insert(Report).values(case_id=case_id, reporter_id=by.id).on_conflict_do_nothing()
    if rows_changed(report):
        counted = update(Case).where(Case.id == case_id).values(reporters=Case.reporters + 1)
        db.session.execute(counted, execution_options={"synchronize_session": False})
    theirs = select(Report.id).where(Report.case_id == case_id, Report.reporter_id == by.id)
    return db.session.scalars(theirs).one()


def _add_note(report_id: int, reason: str, note: str) -> None:
    """Add why, with the case locked; the same once more is the same form sent twice."""
    same = (ReportNote.report_id == report_id, ReportNote.reason == reason, ReportNote.note == note)
    if db.session.scalar(select(ReportNote.id).where(*same).limit(1)) is None:
        theirs = select(func.count()).select_from(ReportNote).where(ReportNote.report_id == report_id)
        if (db.session.scalar(theirs) or 0) >= MAX_NOTES:
            raise BadNote(f"You’ve written {MAX_NOTES} notes to this report, which is all it holds.")
        db.session.add(ReportNote(report_id=report_id, reason=reason, note=note))
