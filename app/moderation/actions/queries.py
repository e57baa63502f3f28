"""Read what was done to a person or a post."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.orm import contains_eager, selectinload

from app.accounts.models import User
from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.moderation.reports.models import Snapshot
from app.posts.models import Post, PostImage
from app.posts.visibility import AUDIENCE, PRIVATE, none_hides


def actions_on(person_id: int) -> Sequence[ModerationAction]:
    """Return what was done to a person and to posts of theirs, the newest first, with their appeals."""
    theirs = select(ModerationAction).where(ModerationAction.person_id == person_id)
    newest_first = theirs.options(selectinload(ModerationAction.appeal)).order_by(ModerationAction.id.desc())
    return db.session.scalars(newest_first).all()


def actions_on_post(post_id: int) -> Sequence[ModerationAction]:
    """Return what was done to a post, the newest first, with its appeals."""
    about = select(ModerationAction).where(ModerationAction.post_id == post_id)
    newest_first = about.options(selectinload(ModerationAction.appeal)).order_by(ModerationAction.id.desc())
    return db.session.scalars(newest_first).all()


def strikes(person_id: int) -> int:
    """Return how often somebody acted on a person or a post of theirs, and it was not undone."""
    against = (ModerationAction.person_id == person_id, ModerationAction.undone_at.is_(None))
    return db.session.scalar(select(func.count()).select_from(ModerationAction).where(*against)) or 0


def post_for_staff(post_id: int, *, by: User) -> Post | None:
    """Return a post with its author, whatever was decided about it, and no repost; none that is not theirs to read."""
    there = (Post.id == post_id, Post.repost_of_id.is_(None), _is_for_staff(by))
    return db.session.scalars(
        select(Post).join(Post.author).options(contains_eager(Post.author)).where(*there)
    ).one_or_none()


def posts_for_staff(post_ids: Collection[int], *, by: User) -> set[int]:
    """Return which of some posts those who run the site may read."""
    return set(db.session.scalars(select(Post.id).where(Post.id.in_(post_ids), _is_for_staff(by))))


def _is_for_staff(by: User) -> ColumnElement[bool]:
    """Hold for what was written for them too, was reported, is held, or was decided about."""
    return or_(
        none_hides((AUDIENCE, PRIVATE), by, Post),
        Post.held_at.is_not(None),
        exists().where(Snapshot.post_id == Post.id).correlate_except(Snapshot),
        exists().where(ModerationAction.post_id == Post.id).correlate_except(ModerationAction),
    )


def descriptions_of(post_id: int) -> Sequence[str]:
    """Return what the images of a post show, in words; empty ones too."""
    images = select(PostImage.alt).where(PostImage.post_id == post_id)
    return db.session.scalars(images.order_by(PostImage.position)).all()
