"""An empty site between two tests, and a state that is brought back instead of being made again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from flask import Flask
from psycopg import Cursor
from psycopg.errors import DeadlockDetected, LockNotAvailable

from app.extensions import db, redis

# The tables that people fill: these, all that refer to them, and partitions. What the migrations fill stays.
CONTENT = """
WITH RECURSIVE content AS (
    SELECT unnest(
        '{users,linked_pages,activity,outbox,retired_handles,log_entries,scheduled_tasks,fanout_lags,report_cases,
        canned_answers,site_settings,signup_requests,site_days,announcements,rules,signup_blocks}'::regclass[]
    )::oid AS id
    UNION
    SELECT below FROM content JOIN (
        SELECT confrelid AS above, conrelid AS below FROM pg_constraint WHERE contype = 'f'
        UNION ALL SELECT inhparent, inhrelid FROM pg_inherits
    ) AS reference ON above = id
)
"""
TABLES = CONTENT + "SELECT id::regclass::text AS name FROM content JOIN pg_class ON oid = id WHERE relkind = 'r'"
SEQUENCES = CONTENT + (
    "SELECT objid::regclass::text AS name FROM content JOIN pg_depend ON refobjid = id AND deptype IN ('a', 'i') "
    "JOIN pg_class ON oid = objid WHERE relkind = 'S'"
)

# TRUNCATE makes new files for all tables and indexes and has every connection plan all its statements again; it costs
# twenty times as much as to delete the few rows of a test. But deleted rows stay in the files until they are vacuumed.
# The locks are had once the requests that the last test has left behind have written. They are not waited for one by
# one: such a request, which has written to one table and goes on to another, would be in a deadlock with that.
EMPTY = f"""
DO $$
DECLARE
    tables text[] := (SELECT array_agg(name) FROM ({TABLES}) AS names);
    name text;
BEGIN
    SET LOCAL session_replication_role = replica;  -- neither foreign keys nor counters look at what goes
    EXECUTE 'LOCK TABLE ' || array_to_string(tables, ', ') || ' IN ACCESS EXCLUSIVE MODE NOWAIT';
    IF (SELECT sum(pg_relation_size(each::regclass)) FROM unnest(tables) AS each) > 4000000 THEN
        EXECUTE 'TRUNCATE ' || array_to_string(tables, ', ');
    ELSE
        FOREACH name IN ARRAY tables LOOP
            EXECUTE 'DELETE FROM ' || name;
        END LOOP;
    END IF;
    FOR name IN {SEQUENCES} LOOP
        PERFORM setval(name::regclass, 1, false);
    END LOOP;
END $$
"""


@dataclass(frozen=True)
class Snapshot:
    """What people had made at some moment."""

    rows: dict[str, bytes]  # of each table that has any
    sequences: dict[str, int]
    files: dict[Path, bytes]


def empty(app: Flask) -> None:
    """Remove what people have made from Postgres, and everything from Redis."""
    with app.app_context():
        while not _is_emptied():
            time.sleep(0.01)  # what holds a lock is at its end
        with redis.client() as client:
            client.flushall()


def _is_emptied() -> bool:
    try:
        _cursor().execute(EMPTY)
    except (LockNotAvailable, DeadlockDetected):
        db.session.rollback()
        return False
    db.session.commit()
    return True


def take_snapshot(app: Flask) -> Snapshot:
    """Return everything that people have made."""
    with app.app_context():
        cursor = _cursor()
        tables = [name for (name,) in cursor.execute(TABLES)]
        sequences = [name for (name,) in cursor.execute(SEQUENCES)]
        rows = {table: _copied(cursor, table) for table in tables}
        numbers = {name: _last_value(cursor, name) for name in sequences}
    files = {path: path.read_bytes() for path in _media(app).rglob("*") if path.is_file()}
    return Snapshot({table: copied for table, copied in rows.items() if copied}, numbers, files)


def restore(app: Flask, snapshot: Snapshot) -> None:
    """Bring back what a snapshot has. Redis begins anew: what it keeps is made again from Postgres."""
    empty(app)
    with app.app_context():
        cursor = _cursor()
        cursor.execute("SET LOCAL session_replication_role = replica")  # the counters are in the snapshot
        for table, rows in snapshot.rows.items():
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(rows)
        for name, last in snapshot.sequences.items():
            cursor.execute("SELECT setval(%s::regclass, %s, %s)", (name, max(last, 1), last > 0))
        db.session.commit()
    for path, content in snapshot.files.items():  # another test may have tidied up
        if not path.exists():
            path.write_bytes(content)


def _cursor() -> Cursor[Any]:
    return cast(Cursor[Any], db.session.connection().connection.cursor())


def _copied(cursor: Cursor[Any], table: str) -> bytes:
    with cursor.copy(f"COPY {table} TO STDOUT") as copy:
        return b"".join(bytes(part) for part in copy)


def _last_value(cursor: Cursor[Any], sequence: str) -> int:
    """Return the last number that a sequence has given; 0 before the first."""
    [(last,)] = cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {sequence}")
    return int(last)


def _media(app: Flask) -> Path:
    folder: Path = app.config["DATA_FOLDER"] / "media"
    return folder
