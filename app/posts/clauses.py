"""What a rule about posts is: a named clause with three readings, side by side in one place.

The SQL predicate filters lists, searches and the feed from Postgres; the decision over a row of facts filters the pages
that are read by id, such as a warm home page; the words explain both to readers and admins. A test makes random worlds
and compares the first two with each other and with a plain model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sqlalchemy import ColumnElement, or_
from sqlalchemy.orm.util import AliasedClass

from app.accounts.models import User
from app.accounts.reader import Reader
from app.posts.models import PostRow, Viewer

AuthorRow = type[User] | AliasedClass[User] | None  # None where no clause asks for it
About = TypeVar("About")  # what a clause decides about: a post, or an entry of a home


@dataclass(frozen=True)
class Finding:
    """What one clause finds."""

    rule: str
    says: str  # to the admin
    lets_through: bool | None = None  # None: it explains, it does not decide
    tells: str | None = None  # to the reader, where it is for them to know


@dataclass(frozen=True)
class Clause(Generic[About]):
    """One reason to leave a post out."""

    name: str
    hides: Callable[[About, Reader | None], bool]
    sql: Callable[[Viewer, PostRow, AuthorRow], ColumnElement[bool]]
    words: Callable[[About, User], Iterator[Finding]]
    asks_author: bool = False  # the predicate needs the author's row
    is_choice: bool = False  # of the viewer, who sees the post all the same on a page that names its author


def any_hides(clauses: Sequence[Clause[About]], about: About, viewer: Reader | None) -> bool:
    """Decide over facts whether one of the clauses leaves a post out."""
    for clause in clauses:  # noqa: SIM110  # any() with a generator takes twice as long, some hundred times a page
        if clause.hides(about, viewer):
            return True
    return False


def any_hides_sql(
    clauses: Sequence[Clause[About]], viewer: Viewer, post: PostRow, author: AuthorRow
) -> ColumnElement[bool]:
    """Hold where one of the clauses leaves a post out."""
    return or_(*(clause.sql(viewer, post, author) for clause in clauses))


def all_words(clauses: Sequence[Clause[About]], about: About, reader: User) -> Iterator[Finding]:
    """Say what each clause finds."""
    for clause in clauses:
        yield from clause.words(about, reader)
