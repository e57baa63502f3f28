"""The WSGI application, for granian, gunicorn and `flask`."""

from __future__ import annotations

import logging

from app import create_app
from app.feed.home import from_postgres

logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(name)s %(levelname)s %(message)s")

app = create_app()
from_postgres.get_ready()
