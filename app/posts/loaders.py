"""Load a post for a route; whoever may not see it gets a 404, and what was deleted is said to be gone."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import contains_eager
from werkzeug.exceptions import Gone, NotFound

from app.accounts.models import User
from app.accounts.viewer import current_viewer
from app.core.errors import NotAllowed
from app.extensions import db
from app.posts import policy
from app.posts.models import Post
from app.posts.queries import author_visible_to


def load_visible_post(post_id: int) -> Post:
    """Return a post with its author, if the viewer may see it. 410 is for those who might have seen it."""
    visible = author_visible_to(current_viewer(), Post.author_id, muted_too=True)
    found = select(Post).join(Post.author).options(contains_eager(Post.author)).where(Post.id == post_id, visible)
    post = db.session.scalars(found).one_or_none()
    if post is None:
        raise NotFound("There is no such post, or it is not visible to you.")
    if post.deleted_at is not None:
        raise Gone("This post was deleted by its author.")
    return post


def load_own_post(post_id: int, *, by: User) -> Post:
    """Return a post that the viewer may delete."""
    post = load_visible_post(post_id)
    if not policy.can_delete(by, post):
        raise NotAllowed("Only its author can delete a post.")
    return post
