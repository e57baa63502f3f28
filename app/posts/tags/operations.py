"""Follow tags into one's home feed."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert as insert_or_ignore

from app.accounts.models import User
from app.activity import operations as activity
from app.activity import verbs
from app.core.errors import NotAllowed
from app.core.locks import advisory_lock
from app.core.statements import rows_changed
from app.extensions import db
from app.posts.models import TagFollow

MAX_FOLLOWED_TAGS = 50  # each is a window that is merged at every read


def follow_tag(tag: str, *, by: User) -> None:
    """Let posts under a tag (spelled by `tag_key`) come into a reader's home."""
    advisory_lock(f"tags:{by.id}")  # two at once would both find room for the last one
    others = select(func.count()).where(TagFollow.user_id == by.id, TagFollow.tag != tag)
    if (db.session.scalar(others) or 0) >= MAX_FOLLOWED_TAGS:
        raise NotAllowed(f"You already follow {MAX_FOLLOWED_TAGS} tags. Unfollow one first.")
    if rows_changed(insert_or_ignore(TagFollow).values(user_id=by.id, tag=tag).on_conflict_do_nothing()):
        activity.record(verbs.TAG_FOLLOWED, actor_id=by.id, subject_id=by.id, details={"tag": tag})


def unfollow_tag(tag: str, *, by: User) -> None:
    """Keep posts under a tag out of a reader's home again, unless they follow the author."""
    rows_changed(delete(TagFollow).where(TagFollow.user_id == by.id, TagFollow.tag == tag))


def follows_tag(viewer: User, tag: str) -> bool:
    """Say whether a reader follows a tag."""
    return db.session.get(TagFollow, (viewer.id, tag)) is not None


def followed_by(viewer: User) -> Sequence[TagFollow]:
    """Return the tags that a reader follows, the last first."""
    theirs = select(TagFollow).where(TagFollow.user_id == viewer.id)
    return db.session.scalars(theirs.order_by(TagFollow.id.desc())).all()
