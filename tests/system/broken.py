"""The application with one more address, `/errors/<code>`, which answers with that error: for seeing every page."""

from __future__ import annotations

from flask import abort

from app import create_app


def fail(code: int) -> str:
    """Go wrong in the way that is asked for; 500 is a crash."""
    if code == 500:
        raise RuntimeError("this page is broken on purpose")
    abort(code)


app = create_app()
app.add_url_rule("/errors/<int:code>", view_func=fail)
