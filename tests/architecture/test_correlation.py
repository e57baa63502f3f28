"""The statements of pages are about what they say: no predicate selects from a table that should be around it."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import app
from app.core.statements import Compiled
from app.posts.lists import PostList

# Two tables side by side in a FROM: SQLAlchemy puts one there that it could not find in the statement around it, and
# "is this post for me" becomes "is any post for me".
SIDE_BY_SIDE = re.compile(r"FROM [^()]*?, [^()]*?\s(?:WHERE|ORDER|LIMIT)")


def compiled_statements() -> Iterator[Any]:
    """Find the compiled statements at the top of the application's modules, and those of lists of posts.

    Not those of conversations and searches, which are made when they are first asked for.
    """
    for found in pkgutil.walk_packages(app.__path__, "app."):
        if ".runtime" in found.name or ".demo" in found.name or found.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, Compiled):
                yield pytest.param(value, id=f"{found.name}.{name}")
            elif isinstance(value, PostList):
                for strangers in (False, True):
                    yield pytest.param(value._statement(strangers), id=f"{found.name}.{name}, {strangers=}")


@pytest.mark.parametrize("statement", [*compiled_statements()])
def test_every_predicate_is_about_the_row_around_it(statement: Compiled) -> None:
    assert SIDE_BY_SIDE.findall(statement.sql) == []


def test_a_forgotten_correlation_would_be_seen() -> None:
    assert SIDE_BY_SIDE.findall("EXISTS (SELECT * FROM mentions AS m, posts \nWHERE m.post_id = posts.id)")
