"""Ask for an export, take it away, and forget those whose time is over."""

from __future__ import annotations

import secrets

from sqlalchemy import delete, or_, select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core import clock
from app.extensions import db
from app.takeout.exporting import archive
from app.takeout.models import Export

DAYS = 7  # for which an export can be fetched


def ask_for_export(*, by: User, origin: str) -> None:
    """Have a job write down all that is somebody's, in place of an earlier one; while one is made, this is that one.

    `origin` is the address of the site, as they see it: an export links to where things are.
    """
    finished = (Export.user_id == by.id, Export.expires_at.is_not(None))
    _remove(db.session.execute(delete(Export).where(*finished).returning(Export.id, Export.file)).all(), by=by)
    new_export = insert(Export).values(user_id=by.id, file=secrets.token_urlsafe(24))
    export_id = db.session.scalar(new_export.on_conflict_do_nothing(index_elements=["user_id"]).returning(Export.id))
    if export_id is not None:
        details = {"origin": origin.rstrip("/")}
        activity.record(verbs.EXPORT_REQUESTED, actor_id=by.id, subject_id=export_id, details=details)


def discard_export(*, by: User) -> None:
    """Remove somebody's export, finished or not."""
    theirs = delete(Export).where(Export.user_id == by.id).returning(Export.id, Export.file)
    _remove(db.session.execute(theirs).all(), by=by)


def export_of(user: User) -> Export | None:
    """Return the export that somebody asked for last."""
    return db.session.scalars(select(Export).where(Export.user_id == user.id)).one_or_none()


def forget_old_exports() -> None:
    """Delete the exports whose time is over or whose owner is gone, and then the files that no row names."""
    gone = select(User.id).where(User.deleted_at.is_not(None))
    db.session.execute(delete(Export).where(or_(Export.expires_at <= clock.now(), Export.user_id.in_(gone))))
    # The files first: of one that comes in between the row was there before.
    files = archive.stored()
    named = set(db.session.scalars(select(Export.file)))
    for file in files - named:
        archive.remove(file)


def _remove(exports: object, *, by: User) -> None:
    """Have a job delete the files, after the commit."""
    for export in exports:  # type: ignore[attr-defined]
        details = {"file": export.file}
        activity.record(verbs.EXPORT_REMOVED, actor_id=by.id, subject_id=export.id, details=details)
