"""A search takes time in proportion to what it looks through, also before Postgres has any statistics."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from flask import Flask
from psycopg import Cursor
from sqlalchemy import text

from app.accounts.models import User
from app.discovery.search import posts as search
from app.discovery.search.lookup import look_up
from app.discovery.search.syntax import understand
from app.extensions import db
from tests.people import Member

POSTS = 1_000
# A site as it is after an import: few authors with many posts each, and no statistics.
FILL = (
    "INSERT INTO posts (author_id, text) SELECT id, 'tea, cup number ' || n "
    f"FROM users JOIN generate_series(1, {POSTS}) AS n ON n % 3 = id % 3 WHERE handle IN ('alice', 'bob', 'carol')",
    "INSERT INTO post_tags (post_id, tag) SELECT id, 'cups' FROM posts WHERE id % 2 = 0",
    "INSERT INTO post_images (post_id, owner_id, file, width, height) "
    "SELECT id, author_id, id::text, 1, 1 FROM posts WHERE id % 3 > 0",
    "DELETE FROM pg_statistic USING pg_class WHERE pg_class.oid = starelid AND relnamespace = 'public'::regnamespace",
)


@pytest.fixture
def imported(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    with app.app_context():
        for statement in FILL:
            db.session.execute(text(statement))
        db.session.commit()


@contextmanager
def rows_visited() -> Iterator[list[int]]:
    """Collect how many rows the busiest node of each SELECT's plan looks at while the block runs."""
    visited: list[int] = []
    execute = Cursor.execute

    def explain_first(cursor: Any, statement: Any, parameters: Any = None, **options: Any) -> Any:
        if str(statement).startswith("SELECT"):
            execute(cursor, f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement}", parameters, prepare=False)
            [[plan]] = [row[0] for row in cursor.fetchall()]
            visited.append(max(_rows_of_nodes(plan["Plan"])))
        return execute(cursor, statement, parameters, **options)

    with patch.object(Cursor, "execute", explain_first):
        yield visited


def _rows_of_nodes(node: dict[str, Any]) -> Iterator[int]:
    removed = sum(rows for name, rows in node.items() if name.startswith("Rows Removed by"))
    yield round((node["Actual Rows"] + removed) * node["Actual Loops"])
    for part in node.get("Plans", ()):
        yield from _rows_of_nodes(part)


QUERIES = (
    "tea",
    "te*",
    '"tea cup"',
    "tea -saucer",
    "tea #cups",
    "tea -#cups",
    "tea has:image",
    "tea -has:image",
    "tea from:@bob",
    "tea from:@bob from:@carol",
    "tea -from:@bob",
    "#cups",
)


@pytest.mark.parametrize("is_hidden", [True, False], ids=["hidden by a filter", "shown"])
def test_no_row_is_looked_at_once_for_each_other(
    app: Flask, alice: Member, imported: None, monkeypatch: pytest.MonkeyPatch, is_hidden: bool
) -> None:
    if is_hidden:
        added = alice.send("/settings/filters", phrase="tea", match="word", action="hide", lasts="ever")
        assert added.status_code == 303
    for newest in (search.NEWEST, 100):  # one by one, and by the index
        monkeypatch.setattr(search, "NEWEST", newest)
        for typed in QUERIES:
            with app.app_context(), rows_visited() as visited:
                walk(typed, viewer=db.session.get_one(User, alice.id))
            assert max(visited) <= 2 * POSTS, typed


def walk(typed: str, *, viewer: User) -> None:
    """Read the first page of a search, and the next one, which reads its whole stretch again."""
    lookup = look_up(understand(typed), viewer=viewer)
    _, at = search.search_posts(lookup, viewer=viewer, at=())
    if at is not None:
        search.search_posts(lookup, viewer=viewer, at=at)
