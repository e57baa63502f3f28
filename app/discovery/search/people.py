"""Find people by handle or name: half a word is enough, and the most followed stand first."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, ColumnElement, Double, Integer, cast, func, literal

from app.accounts.models import User, UserCounters
from app.core.paging import PAGE_SIZE
from app.core.statements import as_tsquery
from app.discovery.search.lookup import Lookup
from app.discovery.search.syntax import WORDS
from app.social.queries import Person, listable_to, people_page, select_people

_ID_BITS = 40  # room for a trillion accounts below the number of the group
_VERY_HANDLE = 64  # above every number of doublings that a count of followers can have


def search_people(
    lookup: Lookup, *, viewer: User | None, at: Sequence[int] = (), size: int = PAGE_SIZE
) -> tuple[Sequence[Person], tuple[int, ...] | None]:
    """Return a page of the people whose handle or name has all words of the query; nobody if it has none."""
    if not lookup.beginnings:
        return [], None
    people = select_people(viewer).where(listable_to(viewer), User.words.bool_op("@@")(as_tsquery(lookup.beginnings)))
    if lookup.unwanted_words:
        people = people.where(~User.words.bool_op("@@")(as_tsquery(lookup.unwanted_words)))
    before = at[0] if at else None
    page, next_before = people_page(people, _place(lookup), before=before, viewer=viewer, size=size)
    return page, None if next_before is None else (next_before,)


def best_people(lookup: Lookup, *, viewer: User | None, size: int = 3) -> Sequence[Person]:
    """Return the few who stand first."""
    return search_people(lookup, viewer=viewer, size=size)[0]


def _place(lookup: Lookup) -> ColumnElement[int]:
    """Return where an account stands: the very handle first, then by doublings of followers, then the newest.

    A page would not stay as it is if every new follower moved an account in the list; twice as many seldom happen while
    one is reading it.
    """
    typed = [term.value.removeprefix("@").lower() for term in lookup.query.wanted(*WORDS)]
    is_it = cast(func.lower(User.handle) == typed[0] if len(typed) == 1 else False, Integer)
    doublings = func.floor(func.ln(cast(UserCounters.followers + 1, Double)) / func.ln(2.0))
    group = cast(is_it * _VERY_HANDLE + doublings, BigInteger)
    return group * literal(2**_ID_BITS, BigInteger) + User.id
