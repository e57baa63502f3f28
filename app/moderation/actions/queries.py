"""Read what was done to a person or a post."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import contains_eager, selectinload

from app.extensions import db
from app.moderation.actions.models import ModerationAction
from app.posts.models import Post, PostImage


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


def post_for_staff(post_id: int) -> Post | None:
    """Return a post with its author, whatever was decided about it; none that its author deleted, and no repost."""
    there = (Post.id == post_id, Post.repost_of_id.is_(None))
    return db.session.scalars(
        select(Post).join(Post.author).options(contains_eager(Post.author)).where(*there)
    ).one_or_none()


def descriptions_of(post_id: int) -> Sequence[str]:
    """Return what the images of a post show, in words; empty ones too."""
    images = select(PostImage.alt).where(PostImage.post_id == post_id)
    return db.session.scalars(images.order_by(PostImage.position)).all()
