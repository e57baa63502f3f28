"""The ceiling: a page of any size, from Flask, a template, twenty items in memory and nothing else; and a bare 204."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus

from flask import Flask, render_template

ITEMS = 20
NOTHING = "/nothing"

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ title }}</title></head>
<body>
<main>
{% for item in items %}
<article id="post-{{ item.id }}" data-entry="{{ item.id }}">
  <header>
    <a href="/@{{ item.handle }}"><b>{{ item.name }}</b> <span>@{{ item.handle }}</span></a>
    <a href="/@{{ item.handle }}/{{ item.id }}"><time datetime="{{ item.time }}">{{ item.time }}</time></a>
  </header>
  <div>{{ item.text }}</div>
</article>
{% endfor %}
</main>
</body>
</html>
"""


def path_of(size: int) -> str:
    """Return the address of a page of so many bytes."""
    return f"/{size}"


def items_of(length: int) -> list[dict[str, str | int]]:
    """Return twenty items whose texts are of this length."""
    return [
        {
            "id": 112_932_697_452_544 + number,
            "handle": f"person_{number:02}",
            "name": f"Person {number:02}",
            "time": "2026-11-16T00:00:00+00:00",
            "text": ("twenty words in memory " * (length // 23 + 1))[:length],
        }
        for number in range(ITEMS)
    ]


def create_bare_app() -> Flask:
    """Make the application: its pages are as large as their addresses say, and one answer is empty."""
    app = Flask(__name__)
    template = app.jinja_env.from_string(PAGE)
    without_text = len(template.render(title="Bare", items=items_of(0)))

    @cache
    def items_of_page(size: int) -> list[dict[str, str | int]]:
        return items_of(max(0, size - without_text) // ITEMS)

    @app.get("/<int:size>")
    def page(size: int) -> str:
        return render_template(template, title="Bare", items=items_of_page(size))

    @app.get(NOTHING)
    def nothing() -> tuple[str, int]:
        return "", HTTPStatus.NO_CONTENT

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    return app


app = create_bare_app()
