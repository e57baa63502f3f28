"""Who may do what with one post. Who may see which posts is `visibility.visible_to`."""

from __future__ import annotations

from app.accounts.models import User
from app.posts.models import EVERYONE, Post


def can_delete(user: User, post: Post) -> bool:
    """Say whether a person may delete a post."""
    return post.author_id == user.id


def can_edit(user: User, post: Post) -> bool:
    """Say whether a person may change what a post says."""
    return post.author_id == user.id


def can_hand_on(user: User, post: Post) -> bool:
    """Say whether a person may repost or quote a post: one that everybody may see, or one's own."""
    is_open = post.audience == EVERYONE and not post.author.is_private and not post.is_hidden
    return is_open or post.author_id == user.id
