"""Statements that go straight to Postgres: planned once where that is enough, anew where it depends on their values."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import column, func, select, table

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
