"""Do something about what was reported, by the operations that act on posts and people; the case stays open for more.

Who acts takes the case on, so that two do not act on one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from app.accounts.models import User
from app.core.errors import NotAllowed
from app.extensions import db
from app.moderation.actions.kinds import KINDS, ON_PEOPLE, ON_POSTS
from app.moderation.actions.operations import BadAction, act_on_person, act_on_post
from app.moderation.actions.queries import post_for_staff
from app.moderation.queue.operations import Handled, Taken, check_free, claim, lock, lock_all
from app.moderation.reports.models import Case, Snapshot

GONE = "It isn’t there any more, so nothing can be done about it."


@dataclass(frozen=True)
class Decision:
    """What is to be done, why and until when."""

    action: str
    reason: str
    until: datetime | None = None
    mark: str = ""


def act_on_posts(case: Case, post_ids: Sequence[int], decision: Decision, *, by: User) -> None:
    """Do something about posts that were reported in a case."""
    lock(case)
    check_free(case, by)
    reported = select(Snapshot.post_id).where(Snapshot.case_id == case.id, Snapshot.post_id.in_(post_ids)).distinct()
    chosen = sorted(post_id for post_id in db.session.scalars(reported) if post_id is not None)
    if not chosen:
        raise BadAction("Choose at least one of the posts.")
    for post_id in chosen:
        _act_on_post(post_id, decision, by)
    claim(case, by=by)


def act_on_reported(case: Case, decision: Decision, *, by: User) -> None:
    """Do something about the person that a case is about."""
    lock(case)
    check_free(case, by)
    _act_on_person(case.person_id, decision, by)
    claim(case, by=by)


def act_on_all(case_ids: Sequence[int], decision: Decision, *, by: User) -> Handled:
    """Do the same about several cases at once; where it cannot be done, the case stays as it is.

    What is done to people is done once to each, however many of the cases are about them.
    """
    if decision.action not in KINDS:
        raise BadAction("Choose one of the actions on the page.")
    done, left, people = 0, list[str](), set[int]()
    for case in lock_all(case_ids, by=by):
        try:
            check_free(case, by)
            if case.person_id not in people or decision.action in ON_POSTS:
                _act_on_main(case, decision, by)
        except (Taken, BadAction, NotAllowed) as refusal:
            left.append(f"@{case.handle}: {refusal.description if isinstance(refusal, NotAllowed) else refusal}")
        else:
            claim(case, by=by)
            people.add(case.person_id)
            done += 1
    return Handled(done, left)


def _act_on_main(case: Case, decision: Decision, by: User) -> None:
    if decision.action in ON_PEOPLE:
        _act_on_person(case.person_id, decision, by)
    elif case.post_id is not None:
        _act_on_post(case.post_id, decision, by)
    else:
        raise BadAction("This report is about an account, not about a post.")


def _act_on_post(post_id: int, decision: Decision, by: User) -> None:
    post = post_for_staff(post_id, by=by)
    if post is None:
        raise BadAction(GONE)
    said = {"reason": decision.reason, "mark": decision.mark}
    act_on_post(post, decision.action, by=by, until=decision.until, **said)


def _act_on_person(person_id: int, decision: Decision, by: User) -> None:
    person = db.session.get(User, person_id)
    if person is None:
        raise BadAction(GONE)
    act_on_person(person, decision.action, by=by, reason=decision.reason, until=decision.until)
