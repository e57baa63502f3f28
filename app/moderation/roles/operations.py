"""Give and take roles."""

from __future__ import annotations

from app.accounts.models import ROLES, User
from app.accounts.operations import lock_roles
from app.core.errors import NotAllowed, Refused
from app.extensions import db
from app.moderation.log import actions
from app.moderation.log.operations import enter


class BadRole(Refused):
    """A role that cannot be given."""

    field = "role"


class BadPerson(Refused):
    """Somebody whose role cannot be changed: oneself, so that somebody stays who could change it back."""

    field = "handle"


def change_role(person: User, role: str, *, by: User, reason: str = "") -> bool:
    """Give a person a role, and say whether they had another one.

    Of two admins who take each other's role at once, the second finds their own gone.
    """
    if role not in ROLES:
        raise BadRole("Choose one of the roles on the page.")
    lock_roles()
    db.session.refresh(by, ["role", "deleted_at", "suspended_until"])
    db.session.refresh(person, ["role", "deleted_at"])
    if not by.is_admin or by.deleted_at is not None or by.is_suspended:
        raise NotAllowed("You’re not an admin any more.")
    if person.id == by.id:
        raise BadPerson("You can’t change your own role. Ask another admin.")
    if person.deleted_at is not None:
        raise BadPerson("This account has been deleted.")
    before, person.role = person.role, role
    if before == role:
        return False
    enter(actions.ROLE_CHANGED, person, by=by, reason=reason, before={"role": before}, after={"role": role})
    return True
