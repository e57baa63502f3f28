"""A project root in four small files, for the tests that are about processes and not about the application."""

from __future__ import annotations

from pathlib import Path

WSGI = """
def app(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"ok"]
"""

WORKER = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(0))
print("ready to", sys.argv[1], flush=True)
while True:
    time.sleep(60)
"""

ALEMBIC = """
[alembic]
script_location = %(here)s/migrations
"""

MIGRATIONS = """
import os
import psycopg
with psycopg.connect(os.environ["DATABASE_URL"].replace("+psycopg", "")) as connection:
    connection.execute("CREATE TABLE IF NOT EXISTS note (text text)")
"""


def write_standin(root: Path, *, wsgi: str = WSGI, migrations: str = MIGRATIONS) -> Path:
    """Write the project into `root` and return it."""
    (root / "migrations").mkdir(parents=True)
    (root / "wsgi.py").write_text(wsgi)
    (root / "worker.py").write_text(WORKER)
    (root / "alembic.ini").write_text(ALEMBIC)
    (root / "migrations" / "env.py").write_text(migrations)
    return root
