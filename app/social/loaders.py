"""Load a person for a route; 404 for a viewer who may not see them."""

from __future__ import annotations

from werkzeug.exceptions import Gone, NotFound

from app.accounts import queries as accounts
from app.accounts.models import RetiredHandle, User
from app.accounts.viewer import current_viewer
from app.core.errors import NotAllowed
from app.extensions import db
from app.social import queries


def load_person(handle: str) -> User:
    """Return a person without regard to blocks: for undoing a block or mute."""
    person = accounts.person_by_handle(handle)
    if person is None and db.session.get(RetiredHandle, handle.lower()) is not None:
        raise Gone("This account has been deleted.")
    if person is None:
        raise NotFound("There’s nobody here by that name.")
    return person


def load_followed_person(handle: str) -> tuple[User, queries.Relation]:
    """Return a person that the viewer follows, and how the viewer stands to them."""
    person, relation = load_visible_person(handle)
    if not relation.follows:
        raise NotAllowed(f"You don’t follow @{person.handle}, so there’s nothing to choose.")
    return person, relation


def load_follower(handle: str) -> User:
    """Return a follower of the viewer."""
    person, relation = load_visible_person(handle)
    if not relation.followed_by:
        raise NotFound(f"@{person.handle} doesn’t follow you.")
    return person


def load_visible_person(handle: str) -> tuple[User, queries.Relation]:
    """Return a person and how the viewer stands to them; 404 for a viewer that they block."""
    person = load_person(handle)
    relation = queries.relation_to(person, viewer=current_viewer())
    if relation.blocked_by and not relation.blocks:
        raise NotFound("There’s nobody here by that name.")
    return person, relation
