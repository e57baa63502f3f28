"""The WSGI application, for granian, gunicorn and `flask`."""

from __future__ import annotations

from app import create_app

app = create_app()
