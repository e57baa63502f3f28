"""Who may do what with one post. Who may see which posts is `queries.visible_to`."""

from __future__ import annotations

from app.accounts.models import User
from app.posts.models import Post


def can_delete(user: User, post: Post) -> bool:
    """Say whether somebody may delete a post."""
    return post.author_id == user.id
