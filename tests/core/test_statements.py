"""Statements that go straight to Postgres: planned once where that is enough, anew where it depends on their values."""

from __future__ import annotations

from contextlib import nullcontext

from flask import Flask
from sqlalchemy import Text, bindparam, column, func, literal, select, table
from sqlalchemy.dialects.postgresql import array

from app.core.database import read_only
from app.core.statements import Compiled

PREPARED = table("pg_prepared_statements", column("statement"))


def test_a_statement_that_depends_on_its_values_is_planned_for_them(app: Flask) -> None:
    """Where plans are kept for all values, a search for a tag and a common word took eighty times as long."""
    itself = select(func.count()).where(PREPARED.c.statement.contains("plan_cache_mode")).scalar_subquery()
    mode = select(func.current_setting("plan_cache_mode"), itself)
    with app.app_context(), read_only():
        kept, anew = Compiled(lambda: mode), Compiled(lambda: mode, planned_anew=True)
        for _ in range(8):
            assert anew.rows() == [("auto", 0)]
        assert kept.rows()[0][0] == "force_generic_plan"
    with app.app_context():
        assert anew.rows() == [("auto", 0)]


def test_constants_are_part_of_the_text_as_they_are_written(app: Flask) -> None:
    """Postgres plans with what it can read: a LIMIT that is a parameter it takes for a tenth of all rows."""
    odd = ["it's", 'a "word"', r"back\slash", "100 %", "$1", ":name"]
    statement = Compiled(
        lambda: select(array(odd), literal(True), literal(-1), bindparam("given", type_=Text)).limit(1)
    )
    with app.app_context():
        for reading in (read_only, nullcontext):
            with reading():
                assert statement.rows(given=r"it's 1 % \ $2") == [(odd, True, -1, r"it's 1 % \ $2")]
    assert "LIMIT 1" in statement.sql
    assert statement.sql.count("$") == 2, "the one that is given, and the one in a constant"
