"""What a viewer may see of an account. Which posts they may see is `posts.visibility.visible_to`."""

from __future__ import annotations

from app.accounts.models import User
from app.social.queries import Relation


def can_look_inside(viewer: User | None, person: User, relation: Relation) -> bool:
    """Say whether the viewer may see what a private account shows its followers alone, such as its follows."""
    is_own = viewer is not None and viewer.id == person.id
    return is_own or relation.follows or not person.is_private
