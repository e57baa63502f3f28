"""Appeal against a decision, once, and answer an appeal, once."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.core import clock
from app.core.errors import NotAllowed, Refused
from app.core.statements import rows_changed
from app.core.text import clean
from app.extensions import db
from app.moderation.actions.models import Appeal, ModerationAction
from app.moderation.actions.operations import check_may, settle_notice, undo_action
from app.moderation.log import actions as log
from app.moderation.log.operations import enter


class BadAppeal(Refused):
    """One that cannot be made."""

    field = "text"


class BadAnswer(Refused):
    """One that cannot be given."""

    field = "answer"


def appeal(action: ModerationAction, text: str, *, by: User) -> None:
    """Say why a decision was wrong. Of two appeals against the same one there is only the first."""
    if action.person_id != by.id:
        raise NotAllowed("This decision is about someone else.")
    if not clean(text):
        raise BadAppeal("Say why you think it was wrong.")
    if action.is_undone:
        raise BadAppeal("This decision has been undone already.")
    if not rows_changed(insert(Appeal).values(action_id=action.id, text=clean(text)).on_conflict_do_nothing()):
        raise BadAppeal("You’ve appealed already. One appeal is read for each decision.")


def accept(action: ModerationAction, *, by: User, answer: str = "") -> None:
    """Undo what was done, and take back the strike."""
    _decide(action, is_accepted=True, by=by, answer=answer)
    undo_action(action, by=by, reason=answer)
    _tell_again(action)


def decline(action: ModerationAction, *, by: User, answer: str) -> None:
    """Leave it as it is, and say why."""
    if not clean(answer):
        raise BadAnswer("Say why it stays. The person will read it.")
    _decide(action, is_accepted=False, by=by, answer=answer)
    _tell_again(action)


def _decide(action: ModerationAction, *, is_accepted: bool, by: User, answer: str) -> None:
    """Set the answer; of two moderators at once the second is told that there is one."""
    person = db.session.get_one(User, action.person_id)
    check_may(person, by=by)
    waiting = select(Appeal).where(Appeal.action_id == action.id).with_for_update()
    made = db.session.scalars(waiting.execution_options(populate_existing=True)).one_or_none()
    if made is None or made.decided_at is not None:
        raise BadAnswer(f"@{made.decided_by} has answered this appeal already." if made else "There’s no appeal here.")
    made.decided_at, made.decided_by, made.is_accepted, made.answer = clock.now(), by.handle, is_accepted, clean(answer)
    what = log.APPEAL_ACCEPTED if is_accepted else log.APPEAL_DECLINED
    enter(what, person, by=by, reason=answer, before={"decision": action.id}, after={"decision": action.id})


def _tell_again(action: ModerationAction) -> None:
    action.told_at = None
    db.session.flush()
    settle_notice(action.person_id)
