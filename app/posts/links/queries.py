"""What there is of linked pages, for a viewer."""

from __future__ import annotations

from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.posts.links.models import LinkedPage, PostLink
from app.posts.models import Post
from app.posts.visibility import visible_to


def is_picture_visible(file: str, *, viewer: User | None) -> bool:
    """Say whether a viewer may see a picture: if they may see a post that shows it."""
    found = select(PostLink.post_id).join(LinkedPage, LinkedPage.id == PostLink.page_id)
    found = found.join(Post, Post.id == PostLink.post_id).where(LinkedPage.picture == file, ~PostLink.is_removed)
    return db.session.scalar(found.where(visible_to(viewer, muted_too=True)).limit(1)) is not None
