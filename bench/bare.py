"""The ceiling: a page of any size, from Flask, a template, twenty items in memory and nothing else; and a bare 204.

Each also in a form that asks Postgres and Valkey: the 204 once each, for nothing; the page just what pages of ours
ask, without doing anything with the answers. What has to ask can at most come as near to the bare one as these do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from itertools import cycle
from threading import local

import psycopg
from flask import Flask, render_template

from app.core.database import Prepared, ReadConnection
from app.core.redis import connect
from app.feed.timelines import transport
from bench import asked

ITEMS = 20
NOTHING, NOTHING_ASKED = "/nothing", "/nothing/asked"
ONE = Prepared(b"one", b"SELECT 1", ())

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


def path_of_asking(kind: str, size: int) -> str:
    """Return the address of the same page that asks what pages of a kind ask."""
    return f"/asking/{kind}/{size}"


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


class _Asked(local):
    """The connections of a thread, used as the site uses its own."""

    def __init__(self) -> None:
        self.postgres = ReadConnection(psycopg.connect(os.environ["DATABASE_URL"].replace("+psycopg", "")))
        self.valkey = connect(os.environ["REDIS_URL"])


@cache
def _asked() -> _Asked:
    return _Asked()


@cache
def _pages(kind: str) -> Iterator[list[asked.Asked]]:
    return cycle(asked.recorded(kind))


def _ask_as(kind: str) -> None:
    """Send what one of the recorded pages sent, and take the answers as rows, as the site does."""
    connections = _asked()
    for ask in next(_pages(kind)):
        if isinstance(ask, asked.Statement):
            connections.postgres.rows(ask.statement, ask.values)
        else:
            assert transport.send(connections.valkey, ask)


def create_bare_app() -> Flask:
    """Make the application: its pages are as large as their addresses say, and two answers are empty."""
    app = Flask(__name__)
    template = app.jinja_env.from_string(PAGE)
    without_text = len(template.render(title="Bare", items=items_of(0)))

    @cache
    def items_of_page(size: int) -> list[dict[str, str | int]]:
        return items_of(max(0, size - without_text) // ITEMS)

    @app.get("/<int:size>")
    def page(size: int) -> str:
        return render_template(template, title="Bare", items=items_of_page(size))

    @app.get("/asking/<kind>/<int:size>")
    def asking_page(kind: str, size: int) -> str:
        _ask_as(kind)
        return page(size)

    @app.get(NOTHING)
    def nothing() -> tuple[str, int]:
        return "", HTTPStatus.NO_CONTENT

    @app.get(NOTHING_ASKED)
    def nothing_asked() -> tuple[str, int]:
        asked = _asked()
        assert asked.postgres.rows(ONE, ()) == [(1,)]
        assert transport.send(asked.valkey, [("PING",)]) == [b"PONG"]
        return "", HTTPStatus.NO_CONTENT

    @app.get("/healthz")
    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    return app


app = create_bare_app()
