"""A case with all that a moderator needs to decide about it, in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup
from sqlalchemy import select

from app import addresses
from app.accounts.models import User
from app.core.text import to_html
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.actions.queries import actions_on, strikes
from app.moderation.reports.models import Case, ModeratorNote, Report, Snapshot
from app.moderation.reports.queries import Reason, reasons_of
from app.moderation.reports.snapshots import Said, said_in_post, said_on_profile, snapshots_of
from app.posts.facts import Facts, facts_about
from app.posts.media import files as image_files

MAX_EARLIER = 20
UNCHANGED, CHANGED, GONE = "unchanged", "changed", "gone"


@dataclass(frozen=True)
class ShownImage:
    """An image of a reported post; without an address its file is not kept any more."""

    url: str | None
    alt: str


@dataclass(frozen=True)
class ShownText:
    """What a post or profile said, for moderators, whoever else may see it."""

    name: str
    handle: str
    html: Markup
    warning: str
    images: Sequence[ShownImage]
    line: str  # in few words


@dataclass(frozen=True)
class Reported:
    """Something that was reported: as it was, and what it is now."""

    post_id: int | None  # None for a profile
    taken_at: datetime
    was: ShownText
    state: str
    now: ShownText | None  # where it has changed


@dataclass(frozen=True)
class ReporterOf:
    """A report of the case, with who made it."""

    handle: str | None  # None once the account is gone
    reasons: Sequence[Reason]


@dataclass(frozen=True)
class Details:
    """A case, ready to be shown."""

    case: Case
    claimed_by: str | None
    closed_by: str | None
    person: User | None  # None once the account is gone
    reported: Sequence[Reported]
    reports: Sequence[ReporterOf]
    earlier: Sequence[Case]
    notes: Sequence[ModeratorNote]
    actions: Sequence[ModerationAction]  # what was done to the person and their posts
    strikes: int

    @property
    def posts(self) -> Sequence[Reported]:
        """Return the posts that something can still be done about, each once, as they were reported last."""
        last = {each.post_id: each for each in self.reported if each.post_id and each.state != GONE}
        return [*last.values()]


def details_of(case: Case) -> Details:
    """Return a case with what was reported, then and now, by whom, and what is known about the person."""
    snapshots = snapshots_of(case.id)
    people = _people(case)
    person = people.get(case.person_id)
    return Details(
        case=case,
        claimed_by=_handle(people, case.claimed_by_id),
        closed_by=_handle(people, case.closed_by_id),
        person=person if person and person.deleted_at is None else None,
        reported=_reported(case, snapshots, person),
        reports=_reports(case),
        earlier=_earlier(case),
        notes=_notes(case),
        actions=actions_on(case.person_id),
        strikes=strikes(case.person_id),
    )


def _people(case: Case) -> Mapping[int, User]:
    """Return those whom a case names, by id."""
    named = [each for each in (case.person_id, case.claimed_by_id, case.closed_by_id) if each is not None]
    return {person.id: person for person in db.session.scalars(select(User).where(User.id.in_(named)))}


def _handle(people: Mapping[int, User], user_id: int | None) -> str | None:
    person = people.get(user_id or 0)
    return person.handle if person else None


def _reported(case: Case, snapshots: Sequence[Snapshot], person: User | None) -> list[Reported]:
    posts = facts_about({each.post_id for each in snapshots if each.post_id}, viewer=None)
    return [_then_and_now(case, each, posts.get(each.post_id or 0), person) for each in snapshots]


def _then_and_now(case: Case, snapshot: Snapshot, post: Facts | None, person: User | None) -> Reported:
    said = _said_now(snapshot, post, person)
    state = GONE if said is None else UNCHANGED if _says_the_same(said, snapshot.said) else CHANGED
    was, now = _shown(case, snapshot.said), _shown(case, said) if said and state == CHANGED else None
    return Reported(snapshot.post_id, snapshot.taken_at, was, state, now)


def _said_now(snapshot: Snapshot, post: Facts | None, person: User | None) -> Said | None:
    if snapshot.post_id is None:
        return None if person is None or person.deleted_at else said_on_profile(person)
    return None if post is None or post.is_deleted or post.author_is_deleted else said_in_post(post)


def _says_the_same(one: Said, other: Said) -> bool:
    """Compare what is judged: a new avatar or audience changes nothing of it."""
    return all(one.get(part) == other.get(part) for part in ("handle", "name", "text", "warning", "images"))


def _shown(case: Case, said: Said) -> ShownText:
    images = [_image(case, image["file"], image["alt"]) for image in said.get("images", [])]
    warning, text = said.get("warning", ""), said["text"]
    line = warning or text or "Images"
    return ShownText(said["name"], said["handle"], to_html(text, frozenset()), warning, images, line)


def _image(case: Case, file: str, alt: str) -> ShownImage:
    name = image_files.name(file, "l")
    is_kept = (image_files.folder() / name).is_file()
    return ShownImage(addresses.admin_report_image(case.id, name) if is_kept else None, alt)


def _reports(case: Case) -> list[ReporterOf]:
    made = select(Report.id, User.handle).outerjoin(User, User.id == Report.reporter_id)
    rows = db.session.execute(made.where(Report.case_id == case.id).order_by(Report.id)).all()
    reasons = reasons_of([report_id for report_id, _ in rows])
    return [ReporterOf(handle, reasons.get(report_id, [])) for report_id, handle in rows]


def _earlier(case: Case) -> Sequence[Case]:
    """Return the other cases about the same person, the last first."""
    others = select(Case).where(Case.person_id == case.person_id, Case.id != case.id)
    return db.session.scalars(others.order_by(Case.id.desc()).limit(MAX_EARLIER)).all()


def _notes(case: Case) -> Sequence[ModeratorNote]:
    """Return the notes on all cases about the same person: what was learned once is of use again."""
    about = select(Case.id).where(Case.person_id == case.person_id)
    notes = select(ModeratorNote).where(ModeratorNote.case_id.in_(about))
    return db.session.scalars(notes.order_by(ModeratorNote.id)).all()
