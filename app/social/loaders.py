"""Load a person for a route; 404 for a viewer who may not see them."""

from __future__ import annotations

from typing import NoReturn

from werkzeug.exceptions import Gone, NotFound

from app.accounts import queries as accounts
from app.accounts.models import RetiredHandle, User
from app.accounts.viewer import current_viewer
from app.core.errors import NotAllowed
from app.extensions import db
from app.social import queries


def load_person(handle: str) -> User:
    """Return a person without regard to blocks: for undoing a block or mute."""
    return accounts.person_by_handle(handle) or _nobody(handle)


def _nobody(handle: str) -> NoReturn:
    if db.session.get(RetiredHandle, handle.lower()) is not None:
        raise Gone("This account has been deleted.")
    raise NotFound("There’s nobody here by that name.")


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


def load_person_to_hide(handle: str) -> tuple[User, queries.Relation]:
    """Return a person and how the viewer stands to them, also one who blocks the viewer: to mute or block them, too."""
    viewer = current_viewer()
    if viewer is None:
        return load_person(handle), queries.Relation()
    return queries.person_seen_by(viewer, handle) or _nobody(handle)


def load_hidden_person(handle: str) -> tuple[User, queries.Relation]:
    """Return a person that the viewer mutes or blocks; 404 for one who blocks the viewer and is neither."""
    person, relation = load_person_to_hide(handle)
    if relation.blocked_by and not (relation.blocks or relation.mutes or relation.mutes_reposts):
        _nobody(handle)
    return person, relation


def load_visible_person(handle: str) -> tuple[User, queries.Relation]:
    """Return a person and how the viewer stands to them; 404 for a viewer that they block."""
    person, relation = load_person_to_hide(handle)
    if relation.blocked_by and not relation.blocks:
        raise NotFound("There’s nobody here by that name.")
    check_met(person, relation)
    return person, relation


def check_met(person: User, relation: queries.Relation) -> None:
    """Answer 404 for a limited account unless the viewer follows it or is it."""
    viewer = current_viewer()
    is_own = viewer is not None and viewer.id == person.id
    if person.is_limited and not (is_own or relation.follows):
        raise NotFound("There’s nobody here by that name.")
