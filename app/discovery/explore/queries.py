"""Find people to follow."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import and_

from app.accounts.models import User, UserCounters
from app.social.queries import Person, followed_by, listable_to, muted_by, people_page, read_people, select_people


def people_to_follow(viewer: User, *, size: int = 5) -> list[Person]:
    """Return well-followed people that the viewer neither follows nor mutes."""
    unknown = and_(
        listable_to(viewer), User.id != viewer.id, ~followed_by(viewer.id, User.id), ~muted_by(viewer.id, User.id)
    )
    people = select_people(viewer).where(unknown)
    people = people.order_by(UserCounters.followers.desc(), UserCounters.posts.desc(), User.id.desc()).limit(size)
    return read_people(people, User.id, viewer=viewer)


def everybody(*, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return all people, the newest first."""
    return people_page(select_people(viewer).where(listable_to(viewer)), User.id, before=before, viewer=viewer)
