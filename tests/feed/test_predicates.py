"""The predicates of a feed ask about the entry in question, however deep they are nested, and never about any entry."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from sqlalchemy import ColumnElement, select
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from app.accounts.models import User
from app.core.statements import AnyViewer
from app.feed.rules.home import in_home_of
from app.feed.rules.repeat import could_be_in_home_of
from app.posts.models import Post
from app.posts.visibility import visible_to


@pytest.mark.parametrize(
    "predicate",
    [
        lambda: visible_to(User(id=1)),
        lambda: visible_to(None),
        lambda: visible_to(AnyViewer()),
        lambda: could_be_in_home_of(AnyViewer()),
        lambda: in_home_of(AnyViewer()),
    ],
)
def test_every_nested_question_has_one_table_of_its_own(predicate: Callable[[], ColumnElement[bool]]) -> None:
    """SQLAlchemy gives a nested question the tables that the next one around it lacks: then it holds for any row."""
    statement = select(Post.id).where(predicate()).compile(dialect=PGDialect_psycopg())  # type: ignore[no-untyped-call]
    tables = re.findall(r"\nFROM ([^\n]+)", str(statement))
    assert [names for names in tables if "," in names] == []
