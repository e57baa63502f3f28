"""What there is of linked pages, for a viewer."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import select

from app.accounts.models import User
from app.core.statements import is_one_of
from app.extensions import db
from app.posts.links.models import LinkedPage, PostLink
from app.posts.models import Post
from app.posts.visibility import visible_to


def is_picture_visible(file: str, *, viewer: User | None) -> bool:
    """Say whether a viewer may see a picture: if they may see a post that shows it."""
    found = select(PostLink.post_id).join(LinkedPage, LinkedPage.id == PostLink.page_id)
    found = found.join(Post, Post.id == PostLink.post_id).where(LinkedPage.picture == file, ~PostLink.is_removed)
    return db.session.scalar(found.where(visible_to(viewer, muted_too=True)).limit(1)) is not None


def hosts_of(page_ids: Sequence[int]) -> dict[int, str]:
    """Return the hosts of linked pages."""
    found = select(LinkedPage.id, LinkedPage.url).where(is_one_of(LinkedPage.id, list(page_ids)))
    return {page.id: urlsplit(page.url).hostname or "" for page in db.session.execute(found)}
