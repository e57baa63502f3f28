"""Who of those who run the site may act on whom."""

from __future__ import annotations

from app.accounts.models import User


def may_act_on(person: User, *, by: User) -> bool:
    """Say whether somebody may act on a person: never on oneself; on others who run the site only an admin."""
    return person.id != by.id and by.is_staff and (by.is_admin or not person.is_staff)
