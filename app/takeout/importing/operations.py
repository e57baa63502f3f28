"""Bring in a list of people, to follow, mute or block them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.extensions import db
from app.takeout.importing.reading import BadList, Entry
from app.takeout.models import Import

KEPT = timedelta(days=7)  # for which a page says what came of it


def ask_for_import(kind: str, entries: Sequence[Entry], *, by: User) -> None:
    """Have a job go through a list. One at a time: of two at once the second is refused."""
    db.session.execute(delete(Import).where(Import.user_id == by.id, Import.finished_at.is_not(None)))
    values = {"user_id": by.id, "kind": kind, "entries": list(entries), "total": len(entries)}
    new_import = insert(Import).values(values).on_conflict_do_nothing(index_elements=["user_id"])
    import_id = db.session.scalar(new_import.returning(Import.id))
    if import_id is None:
        raise BadList("Your last list is still being worked through. Bring in this one when it’s done.")
    activity.record(verbs.IMPORT_REQUESTED, actor_id=by.id, subject_id=import_id)


def import_of(user: User) -> Import | None:
    """Return what somebody brought in last."""
    return db.session.scalars(select(Import).where(Import.user_id == user.id)).one_or_none()


def forget_old_imports() -> None:
    """Delete the lists that were worked through some time ago."""
    db.session.execute(delete(Import).where(Import.finished_at < clock.now() - KEPT))
