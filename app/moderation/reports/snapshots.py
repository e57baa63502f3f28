"""What was reported, kept as it was: neither an edit nor a deletion changes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.accounts.models import User
from app.extensions import db
from app.moderation.reports.models import Snapshot
from app.posts.facts import Facts, facts_about
from app.posts.media.cards import read_images
from app.posts.visibility import is_visible

Said = dict[str, Any]


def visible_posts(ids: Iterable[int], *, of: User, viewer: User) -> list[Facts]:
    """Return those of a person's posts that the viewer may see."""
    found = facts_about(ids, viewer=viewer).values()
    return [post for post in found if post.author_id == of.id and _is_reportable(post, viewer)]


def _is_reportable(post: Facts, viewer: User) -> bool:
    return post.repost_of_id is None and is_visible(post, viewer, muted_too=True)


def said_in_post(post: Facts) -> Said:
    """Return what is kept of a post."""
    return {
        "handle": post.handle,
        "name": post.name,
        "text": post.text,
        "warning": post.warning,
        "audience": post.audience,
        "images": [asdict(image) for image in read_images(post.images)],
    }


def said_on_profile(person: User) -> Said:
    """Return what is kept of a profile."""
    return {"handle": person.handle, "name": person.name, "text": person.bio, "avatar": person.avatar}


def keep(case_id: int, person: User, posts: Sequence[Facts], *, profile_too: bool) -> None:
    """Keep what was reported; what is kept already, word for word, is not kept again."""
    kept: list[tuple[int | None, Said]] = [(post.id, said_in_post(post)) for post in posts]
    if profile_too:
        kept.insert(0, (None, said_on_profile(person)))
    for post_id, said in kept:
        values = {"case_id": case_id, "post_id": post_id, "said": said, "digest": _digest(post_id, said)}
        db.session.execute(insert(Snapshot).values(**values).on_conflict_do_nothing())


def snapshots_of(case_id: int) -> Sequence[Snapshot]:
    """Return what was kept of a case, in the order of the reports."""
    return db.session.scalars(select(Snapshot).where(Snapshot.case_id == case_id).order_by(Snapshot.id)).all()


def _digest(post_id: int | None, said: Said) -> str:
    return hashlib.sha256(json.dumps([post_id, said], sort_keys=True).encode()).hexdigest()


def names_image(case_id: int, file: str) -> bool:
    """Say whether an image belongs to what was reported in a case."""
    named = Snapshot.said["images"].contains([{"file": file}])
    return db.session.scalar(select(Snapshot.id).where(Snapshot.case_id == case_id, named).limit(1)) is not None
