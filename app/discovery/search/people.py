"""Find people by handle or name: half a word is enough, and the most followed stand first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sqlalchemy import BigInteger, ColumnElement, Double, Integer, Text, bindparam, cast, func, literal

from app.accounts.models import User, UserCounters
from app.core import clock
from app.core.paging import PAGE_SIZE, cut
from app.core.statements import AnyViewer, as_tsquery
from app.discovery.search.lookup import Lookup
from app.discovery.search.syntax import WORDS
from app.social.queries import PeopleSelect, Person, listable_to, people_in, select_people

_ID_BITS = 40  # room for a trillion accounts below the number of the group
_VERY_HANDLE = 64  # above every number of doublings that a count of followers can have


def search_people(
    lookup: Lookup, *, viewer: User | None, at: Sequence[int] = (), size: int = PAGE_SIZE
) -> tuple[Sequence[Person], tuple[int, ...] | None]:
    """Return a page of the people whose handle or name has all words of the query; nobody if it has none."""
    if not lookup.beginnings:
        return [], None
    people = _statement(viewer is not None, bool(lookup.unwanted_words), is_first=not at)
    typed = [term.value.removeprefix("@").lower() for term in lookup.query.wanted(*WORDS)]
    values = {
        "words": lookup.beginnings,
        "very_handle": typed[0] if len(typed) == 1 else "",
        "size": size + 1,
        "present": clock.now(),
        **({"viewer_id": viewer.id} if viewer else {}),
        **({"unwanted_words": lookup.unwanted_words} if lookup.unwanted_words else {}),
        **({"before": at[0]} if at else {}),
    }
    page, next_before = cut(people_in(people, viewer=viewer, values=values), size, key=lambda person: person.place)
    return page, None if next_before is None else (next_before,)


def best_people(lookup: Lookup, *, viewer: User | None, size: int = 3) -> Sequence[Person]:
    """Return the few who stand first."""
    return search_people(lookup, viewer=viewer, size=size)[0]


@cache
def _statement(has_viewer: bool, has_unwanted_words: bool, *, is_first: bool) -> PeopleSelect:
    """Build the statement once for all searches of a kind: to build it takes longer than Postgres takes to run it."""
    viewer, place = AnyViewer() if has_viewer else None, _place()
    people = select_people(viewer).where(listable_to(viewer), _matches("words"))
    if has_unwanted_words:
        people = people.where(~_matches("unwanted_words"))
    if not is_first:
        people = people.where(place < bindparam("before", type_=BigInteger))
    return people.add_columns(place.label("place")).order_by(place.desc()).limit(bindparam("size", type_=Integer))


def _matches(words: str) -> ColumnElement[bool]:
    return User.words.bool_op("@@")(as_tsquery(bindparam(words, type_=Text)))


def _place() -> ColumnElement[int]:
    """Return where an account stands: the very handle first, then by doublings of followers, then the newest.

    A page would not stay as it is if every new follower moved an account in the list; twice as many seldom happen while
    one is reading it.
    """
    is_it = cast(func.lower(User.handle) == bindparam("very_handle", type_=Text), Integer)
    doublings = func.floor(func.ln(cast(UserCounters.followers + 1, Double)) / func.ln(2.0))
    group = cast(is_it * _VERY_HANDLE + doublings, BigInteger)
    return group * literal(2**_ID_BITS, BigInteger) + User.id
