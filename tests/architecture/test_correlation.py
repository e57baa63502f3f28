"""The statements of pages are about what they say: no predicate selects from a table that should be around it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from itertools import product
from types import ModuleType
from typing import Any

import pytest

import app
from app.core.statements import Compiled
from app.discovery.search import matching, tags
from app.posts import lists
from app.posts.threads import statements
from app.profiles import queries as profiles

# Two tables side by side in a FROM: SQLAlchemy puts one there that it could not find in the statement around it, and
# "is this post for me" becomes "is any post for me".
_NAMES = r"(?:(?!SELECT)[^()])*?"
SIDE_BY_SIDE = re.compile(rf"FROM {_NAMES}, {_NAMES}\s(?:WHERE|ORDER|LIMIT)")

# What is compiled when it is first asked for: what compiles it, and with what all of its statements are made.
FOR_BOTH = [{"for_strangers": False}, {"for_strangers": True}]
BOTH_WAYS = [{"upwards": False}, {"upwards": True}]
LISTS = [value for value in vars(lists).values() if isinstance(value, lists.PostList)]


def _shapes() -> Iterator[dict[str, Any]]:
    """Yield searches with all that can be asked for, for each viewer, number of authors and wish for images."""
    for has_viewer, by_index, authors, image in product(
        (True, False), (True, False), (None, 1, 2), (None, True, False)
    ):
        yield {"shape": _shape(has_viewer=has_viewer, by_index=by_index, authors=authors, image=image, number=2)}
    yield {"shape": _shape(has_viewer=True, by_index=True, authors=None, image=None, number=0)}


def _shape(
    *, has_viewer: bool, by_index: bool, authors: int | None, image: bool | None, number: int
) -> matching._Shape:
    return matching._Shape(
        has_viewer=has_viewer,
        by_index=by_index,
        has_words=bool(number),
        has_unwanted_words=bool(number),
        authors=authors,
        has_unwanted_authors=bool(number),
        tags=number,
        unwanted_tags=number,
        image=image,
    )


COMPILING: dict[Callable[..., Compiled], list[dict[str, Any]]] = {
    statements._compiled: [
        {"build": build, **who} for build in (statements._select_links, statements._select_branches) for who in FOR_BOTH
    ],
    matching._statement: [*_shapes()],
    tags._statement: [{"is_shown": is_shown, **who} for is_shown in (True, False) for who in FOR_BOTH],
    profiles._statement: [*FOR_BOTH],
    lists.PostList._candidates: [{"self": value, **way} for value in LISTS for way in BOTH_WAYS],
    lists.PostList._visible: [
        {"self": value, **who, **way} for value in LISTS for who in FOR_BOTH for way in BOTH_WAYS
    ],
}


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(app.__path__, "app."):
        if ".runtime" not in found.name and ".demo" not in found.name and not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _compiling() -> Iterator[Callable[..., Compiled]]:
    """Find the functions and methods that make statements."""
    for module in _modules():
        here = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
        methods = [method for kind in here if inspect.isclass(kind) for method in vars(kind).values()]
        for each in (*here, *methods):
            if callable(each) and getattr(each, "__annotations__", {}).get("return") == "Compiled":
                yield each


def compiled_statements() -> Iterator[Any]:
    """Find the compiled statements at the top of the application's modules, and those that functions make."""
    for module in _modules():
        for name, value in vars(module).items():
            if isinstance(value, Compiled):
                yield pytest.param(value, id=f"{module.__name__}.{name}")
    for compile_, asked in COMPILING.items():
        for number, values in enumerate(asked, 1):
            yield pytest.param(compile_(**values), id=f"{compile_.__module__}.{compile_.__qualname__} {number}")


@pytest.mark.parametrize("statement", [*compiled_statements()])
def test_every_predicate_is_about_the_row_around_it(statement: Compiled) -> None:
    assert SIDE_BY_SIDE.findall(statement.sql) == []


def test_all_that_makes_statements_is_looked_at() -> None:
    assert {*_compiling()} == COMPILING.keys()


def test_a_forgotten_correlation_would_be_seen() -> None:
    assert SIDE_BY_SIDE.findall("EXISTS (SELECT * FROM mentions AS m, posts \nWHERE m.post_id = posts.id)")
