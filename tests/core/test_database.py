"""Reading sends nothing but what it reads, and what is prepared stays prepared."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from psycopg import Connection, OperationalError
from psycopg.errors import ReadOnlySqlTransaction
from sqlalchemy import select, text, update

from app.accounts.models import User
from app.core.database import (
    Prepared,
    ReadConnections,
    WriteWhileReading,
    is_alive,
    on_primary,
    read_only,
)
from app.extensions import db
from tests.outbox import drain
from tests.people import Member


def idle_connection(app: Flask) -> Connection[Any]:
    """Return the connection over which the next page will be read."""
    with connections(app).lend() as lent:
        return lent.connection


def connections(app: Flask) -> ReadConnections:
    kept: ReadConnections = app.extensions["freshet.read_connections"]
    return kept


@pytest.fixture
def reader(app: Flask, alice: Member, bob: Member) -> Member:
    """Bob, with a post to read and a warm home."""
    alice.write("hello")
    drain(app)
    bob.get("/")
    return bob


def test_a_page_begins_no_transaction_and_sends_no_ping(app: Flask, reader: Member) -> None:
    driver = idle_connection(app)
    with tempfile.TemporaryFile() as trace:
        driver.pgconn.trace(trace.fileno())
        reader.get("/")
        driver.pgconn.untrace()
        os.lseek(trace.fileno(), 0, os.SEEK_SET)
        sent = trace.read()
    assert sent.count(b"\tBind\t") == 2, "the page was read over this connection"
    assert not re.search(rb"\tF\t\d+\tQuery", sent), "BEGIN, ROLLBACK and pings are simple queries"


def test_statements_stay_prepared_from_page_to_page(app: Flask, reader: Member) -> None:
    reader.get("/")
    prepared = (
        idle_connection(app).execute("SELECT count(*) FROM pg_prepared_statements WHERE statement ~ 'FROM'").fetchone()
    )
    assert prepared is not None and prepared[0] >= 2


def test_a_connection_that_has_failed_is_not_used_again(app: Flask) -> None:
    with pytest.raises(RuntimeError), connections(app).lend() as lent:
        raise RuntimeError
    assert lent.connection.closed
    with connections(app).lend() as another:
        assert another is not lent


def test_a_read_connection_refuses_to_write(app: Flask) -> None:
    with pytest.raises(ReadOnlySqlTransaction), connections(app).lend() as lent:
        lent.rows(Prepared(b"write", b"INSERT INTO retired_handles VALUES ($1) RETURNING handle", [0]), [b"gone"])


def test_a_server_that_is_gone_is_an_operational_error(app: Flask, reader: Member) -> None:
    with pytest.raises(OperationalError), connections(app).lend() as lent:
        lent.rows(Prepared(b"end", b"SELECT pg_terminate_backend(pg_backend_pid())", []), [])
    assert reader.get("/").status_code == 200


def test_a_connection_that_the_server_has_closed_is_not_lent(app: Flask, reader: Member) -> None:
    line = idle_connection(app)
    with app.app_context():
        assert db.session.scalar(text("SELECT pg_terminate_backend(:pid)"), {"pid": line.info.backend_pid})
    wait_until(lambda: not is_alive(line))
    assert reader.get("/").status_code == 200


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError


def test_only_what_says_so_reads_without_a_transaction(app: Flask, alice: Member) -> None:
    with app.test_request_context("/", method="GET"):
        assert not is_autocommit()
    with app.app_context(), read_only():
        assert is_autocommit()
        with on_primary():
            assert not is_autocommit()


def test_writing_while_reading_is_refused(app: Flask, alice: Member) -> None:
    with app.app_context():
        user = db.session.get_one(User, alice.id)
        with read_only(), pytest.raises(WriteWhileReading):
            db.session.execute(update(User).values(name="everybody"))
        user.name = "somebody else"
        with read_only(), pytest.raises(WriteWhileReading):
            db.session.scalars(select(User)).all()  # which would write the change first
    with app.app_context():
        assert db.session.get_one(User, alice.id).name == "Alice"


def test_every_view_that_is_only_read_says_so(whole_app: Flask) -> None:
    """What a view does with the database is written where it is, not guessed from the verb."""
    elsewhere = {"static", "favicon", "avatar", "healthz", "readyz"}  # no pages
    rules = [*whole_app.url_map.iter_rules()]
    gets = {rule.endpoint for rule in rules if "GET" in (rule.methods or ())}
    posts = {rule.endpoint for rule in rules if "POST" in (rule.methods or ())}
    declared = {name for name, view in whole_app.view_functions.items() if hasattr(view, "reads_only")}
    assert gets - posts - declared == elsewhere
    assert not posts & declared, "they write"


def is_autocommit() -> bool:
    driver: Any = db.session.connection().connection.driver_connection
    return bool(driver.autocommit)
