"""Reading sends nothing but what it reads, and what is prepared stays prepared."""

from __future__ import annotations

import os
import re
import tempfile
from typing import Any

from flask import Flask
from sqlalchemy import text

from app.extensions import db
from tests.people import Member

UNTIL_PREPARED = 6  # psycopg prepares a statement at its sixth use on a connection


def idle_connection(app: Flask) -> Any:
    """Return the connection that the next request will be lent."""
    with app.app_context(), db.engine.connect() as connection:
        return connection.connection.driver_connection


def test_a_page_begins_no_transaction_and_sends_no_ping(app: Flask, bob: Member) -> None:
    bob.get("/")
    driver = idle_connection(app)
    with tempfile.TemporaryFile() as trace:
        driver.pgconn.trace(trace.fileno())
        bob.get("/")
        driver.pgconn.untrace()
        os.lseek(trace.fileno(), 0, os.SEEK_SET)
        sent = trace.read()
    assert sent.count(b"\tBind\t") >= 4, "the page was read over this connection"
    assert not re.search(rb"\tF\t\d+\tQuery", sent), "BEGIN, ROLLBACK and pings are simple queries"


def test_statements_stay_prepared_from_page_to_page(app: Flask, bob: Member) -> None:
    for _ in range(UNTIL_PREPARED):
        bob.get("/")
    with app.test_request_context("/"):
        prepared = db.session.execute(text("SELECT statement FROM pg_prepared_statements")).scalars().all()
    assert sum("FROM" in each for each in prepared) >= 4


def test_what_a_post_does_is_still_one_transaction(app: Flask, alice: Member) -> None:
    with app.test_request_context("/posts", method="POST"):
        assert not is_autocommit()
    with app.app_context():
        assert not is_autocommit()
    with app.test_request_context("/"):
        assert is_autocommit()


def is_autocommit() -> bool:
    driver: Any = db.session.connection().connection.driver_connection
    return bool(driver.autocommit)
