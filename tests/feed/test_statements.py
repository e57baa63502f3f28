"""The statements of the feed are about what they say: no predicate selects from a table that should be around it."""

from __future__ import annotations

import re
from types import ModuleType

import pytest

from app.core.statements import Compiled
from app.feed.explain import doctor, facts, wording
from app.feed.home import from_postgres, marks, new_posts
from app.feed.home import page as home
from app.feed.timelines import fanout

# Two tables side by side in a FROM: SQLAlchemy puts one there that it could not find in the statement around it, and
# "is this post for me" becomes "is any post for me".
SIDE_BY_SIDE = re.compile(r"FROM [^()]*?, [^()]*?\s(?:WHERE|ORDER|LIMIT)")
STATEMENTS = [
    pytest.param(value, id=f"{module.__name__}.{name}")
    for module in (doctor, fanout, new_posts, from_postgres, marks, home, facts, wording)
    for name, value in vars(module).items()
    if isinstance(module, ModuleType) and isinstance(value, Compiled)
]


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_predicate_is_about_the_row_around_it(statement: Compiled) -> None:
    assert SIDE_BY_SIDE.findall(statement.sql) == []


def test_a_forgotten_correlation_would_be_seen() -> None:
    assert SIDE_BY_SIDE.findall("EXISTS (SELECT * FROM mentions AS m, posts \nWHERE m.post_id = posts.id)")
