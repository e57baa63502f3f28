"""Relations between people: predicates, how a viewer stands to a person, and lists of people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Row, Select, and_, bindparam, exists, func, literal, or_, select
from sqlalchemy.orm import InstrumentedAttribute, QueryableAttribute, aliased

from app.accounts.models import User, UserCounters
from app.accounts.queries import Shown, known_user, select_person
from app.accounts.standing import Account, holds_sql, is_here
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer, Compiled, present
from app.extensions import db
from app.social.models import EVERYTHING, REPOSTS, Block, Follow, FollowRequest, Mute

# Aliases, so that a predicate keeps its own rows inside a statement that selects from the same table. And each keeps
# nothing but its own: SQLAlchemy correlates with the enclosing SELECT only, and would look for the account of a nested
# predicate among all accounts.
_Follow, _Mute, _Block, _Request = aliased(Follow), aliased(Mute), aliased(Block), aliased(FollowRequest)

# A `User`, the number of their `followers`, and for a viewer the fields of `Relation`, each under its own name.
PeopleSelect = Select[*tuple[Any, ...]]
AccountId = ColumnElement[int] | QueryableAttribute[int] | QueryableAttribute[int | None]
ViewerId = int | ColumnElement[int]
Place = ColumnElement[int] | InstrumentedAttribute[int]
MAX_COUNTED_REQUESTS = 100


@dataclass(frozen=True, kw_only=True)
class Relation:
    """How a viewer stands to a person."""

    follows: bool = False
    followed_by: bool = False
    mutes: bool = False
    blocks: bool = False
    blocked_by: bool = False
    requested: bool = False  # the viewer has asked to follow, and has no answer yet
    mutes_reposts: bool = False
    volume: str | None = None  # at which the viewer follows
    muted_until: datetime | None = None  # None also where it is for ever
    asks: bool = False  # to follow the viewer, who has not answered yet


@dataclass(frozen=True, kw_only=True)
class Person:
    """An entry of a list of people, as one viewer sees it."""

    user: User
    relation: Relation
    is_viewer: bool
    followers: int
    place: int


def blocks_between(viewer_id: ViewerId, account_id: AccountId) -> ColumnElement[bool]:
    """Hold where one of the two blocks the other."""
    one = and_(_Block.blocker_id == viewer_id, _Block.blocked_id == account_id)
    other = and_(_Block.blocked_id == viewer_id, _Block.blocker_id == account_id)
    return exists().where(or_(one, other)).correlate_except(_Block)


def muted_by(viewer_id: ViewerId, account_id: AccountId, scope: str = EVERYTHING) -> ColumnElement[bool]:
    """Hold where the viewer mutes the account now: everything of it, or what it reposts."""
    holds = or_(_Mute.until.is_(None), _Mute.until > present())
    muted = (_Mute.muter_id == viewer_id, _Mute.muted_id == account_id, _Mute.scope == scope, holds)
    return exists().where(*muted).correlate_except(_Mute)


def followed_by(viewer_id: ViewerId, account_id: AccountId) -> ColumnElement[bool]:
    """Hold where the viewer follows the account."""
    return exists().where(_Follow.follower_id == viewer_id, _Follow.followed_id == account_id).correlate_except(_Follow)


def is_following(follower_id: int, followed_id: int) -> bool:
    """Say whether one person follows the other."""
    return bool(db.session.scalar(select(followed_by(follower_id, literal(followed_id)))))


def is_blocked_either_way(a: int, b: int) -> bool:
    """Say whether one of two people blocks the other."""
    return bool(db.session.scalar(select(blocks_between(a, literal(b)))))


def meets(viewer: User, account_id: int) -> bool:
    """Say whether a viewer may come across an account."""
    return bool(db.session.scalar(select(exists().where(User.id == account_id, is_met_by(viewer)))))


def relation_to(target: User, *, viewer: User | None) -> Relation:
    """Return how the viewer stands to a person, in one statement."""
    if viewer is None or viewer.id == target.id:
        return Relation()
    [relation] = _relation.mappings(viewer_id=viewer.id, account_id=target.id)
    return Relation(**relation)


def person_seen_by(viewer: User, handle: str) -> tuple[User, Relation] | None:
    """Return the person with this handle and how the viewer stands to them, in one statement."""
    found = _seen_person.mappings(handle=handle.lower(), viewer_id=viewer.id)
    if not found:
        return None
    [columns] = found
    person = known_user({name: columns.pop(name) for name in Shown._fields})
    return person, Relation() if person.id == viewer.id else Relation(**columns)


@Compiled
def _seen_person() -> Select[*tuple[Any, ...]]:
    return select_person().add_columns(*_relation_columns(AnyViewer().id, User.id))


@Compiled
def _relation() -> Select[*tuple[Any, ...]]:
    return select(*_relation_columns(AnyViewer().id, bindparam("account_id", type_=BigInteger)))


def _relation_in(row: Row[*tuple[Any, ...]]) -> Relation:
    """Read the fields of `Relation` from a row by their names."""
    return Relation(**{field.name: row._mapping[field.name] for field in fields(Relation)})


def _relation_columns(viewer_id: ViewerId, account_id: AccountId) -> list[ColumnElement[Any]]:
    """Return a column for each field of `Relation`, under the name of the field."""
    follow = (_Follow.follower_id == viewer_id, _Follow.followed_id == account_id)
    mute = (_Mute.muter_id == viewer_id, _Mute.muted_id == account_id)
    columns: dict[str, ColumnElement[Any]] = {
        "follows": followed_by(viewer_id, account_id),
        "followed_by": exists().where(_Follow.follower_id == account_id, _Follow.followed_id == viewer_id),
        "mutes": muted_by(viewer_id, account_id),
        "blocks": exists().where(_Block.blocker_id == viewer_id, _Block.blocked_id == account_id),
        "blocked_by": exists().where(_Block.blocker_id == account_id, _Block.blocked_id == viewer_id),
        "requested": exists().where(_Request.requester_id == viewer_id, _Request.target_id == account_id),
        "mutes_reposts": muted_by(viewer_id, account_id, REPOSTS),
        "volume": select(_Follow.volume).where(*follow).scalar_subquery(),
        "muted_until": select(_Mute.until).where(*mute).scalar_subquery(),
        "asks": exists().where(_Request.requester_id == account_id, _Request.target_id == viewer_id),
    }
    return [column.label(name) for name, column in columns.items()]


def listable_to(viewer: User | AnyViewer | None) -> ColumnElement[bool]:
    """Hold for the people who may appear in a viewer's lists of people."""
    return is_met_by(viewer)


def is_met_by(viewer: User | AnyViewer | None, account: Account = User) -> ColumnElement[bool]:
    """Hold for the accounts that a viewer may come across: a limited one meets its followers and itself."""
    is_limited = holds_sql(account.limited_until)
    if viewer is None:
        return and_(is_here(account), ~is_limited)
    is_known = or_(~is_limited, account.id == viewer.id, followed_by(viewer.id, account.id))
    return and_(is_here(account), is_known, ~blocks_between(viewer.id, account.id))


def select_people(viewer: User | AnyViewer | None) -> PeopleSelect:
    """Select people with their number of followers and how the viewer stands to them."""
    relation = _relation_columns(viewer.id, User.id) if viewer else []
    people: PeopleSelect = select(User, UserCounters.followers, *relation)
    return people.join(UserCounters, UserCounters.user_id == User.id)


def read_people(people: PeopleSelect, place: Place, *, viewer: User | None) -> list[Person]:
    """Return the people that a statement of `select_people` finds; `place` is what their list is ordered by."""
    return people_in(people.add_columns(place.label("place")), viewer=viewer, values={})


def people_in(people: PeopleSelect, *, viewer: User | None, values: Mapping[str, object]) -> list[Person]:
    """Return the same of a statement that selects the place as well, with the values of its parameters."""
    return [
        Person(
            user=row.User,
            relation=_relation_in(row) if viewer else Relation(),
            is_viewer=viewer is not None and viewer.id == row.User.id,
            followers=row.followers,
            place=row.place,
        )
        for row in db.session.execute(people, values)
    ]


def people_page(
    people: PeopleSelect,
    place: Place,
    *,
    before: int | None,
    viewer: User | None,
    size: int = PAGE_SIZE,
) -> tuple[Sequence[Person], int | None]:
    """Return a page of people, ordered by `place` downwards, and where the next page starts."""
    if before is not None:
        people = people.where(place < before)
    found = read_people(people.order_by(place.desc()).limit(size + 1), place, viewer=viewer)
    return cut(found, size, key=lambda person: person.place)


def followers_of(target: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who follows `target`, the newest first."""
    people = select_people(viewer).join(Follow, Follow.follower_id == User.id)
    people = people.where(Follow.followed_id == target.id, listable_to(viewer))
    return people_page(people, Follow.id, before=before, viewer=viewer)


def followed_by_person(target: User, *, viewer: User | None, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return the people that `target` follows, the newest first."""
    people = select_people(viewer).join(Follow, Follow.followed_id == User.id)
    people = people.where(Follow.follower_id == target.id, listable_to(viewer))
    return people_page(people, Follow.id, before=before, viewer=viewer)


def waiting_for(viewer: User, *, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return who has asked to follow the viewer and waits for an answer, the last first."""
    people = select_people(viewer).join(FollowRequest, FollowRequest.requester_id == User.id)
    people = people.where(FollowRequest.target_id == viewer.id, listable_to(viewer))
    return people_page(people, FollowRequest.id, before=before, viewer=viewer)


def number_waiting_for(viewer: User) -> int:
    """Return how many requests wait for an answer, at most a hundred; a public account has none."""
    if not viewer.is_private:
        return 0
    asked = select(FollowRequest.id).join(User, User.id == FollowRequest.requester_id)
    some = asked.where(FollowRequest.target_id == viewer.id, is_here()).limit(MAX_COUNTED_REQUESTS)
    return db.session.scalar(select(func.count()).select_from(some.subquery())) or 0


def muted_people(viewer: User, *, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return the people that the viewer mutes, for a time or for ever."""
    people = select_people(viewer).join(Mute, Mute.muted_id == User.id)
    people = people.where(or_(Mute.until.is_(None), Mute.until > present()))
    return people_page(
        people.where(Mute.muter_id == viewer.id, listable_to(viewer)), Mute.id, before=before, viewer=viewer
    )


def blocked_people(viewer: User, *, before: int | None) -> tuple[Sequence[Person], int | None]:
    """Return the people that the viewer blocks."""
    people = select_people(viewer).join(Block, Block.blocked_id == User.id)
    return people_page(people.where(Block.blocker_id == viewer.id, is_here()), Block.id, before=before, viewer=viewer)
