"""The ceiling: a page of the size of a home page, from Flask, a template, twenty items in memory and nothing else."""

from __future__ import annotations

import os

from flask import Flask, render_template

ITEMS = 20
BYTES = "BENCH_BARE_BYTES"  # how large the page must be

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
    """Make the application; its page is as large as the environment says."""
    app = Flask(__name__)
    template = app.jinja_env.from_string(PAGE)
    without_text = len(template.render(title="Bare", items=items_of(0)))
    items = items_of(max(0, int(os.environ.get(BYTES, "25000")) - without_text) // ITEMS)

    @app.get("/")
    def page() -> str:
        return render_template(template, title="Bare", items=items)

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    return app


app = create_bare_app()
