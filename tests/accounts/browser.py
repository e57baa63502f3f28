"""A browser that knows nothing but what pages tell it: it reads tokens off forms and keeps its cookies."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from tests.people import PASSWORD

COOKIE = "freshet"


class Browser:
    """Somebody's browser, from an address of its own."""

    def __init__(
        self, app: Flask, *, address: str = "127.0.0.1", agent: str = "Mozilla/5.0 (X11; Linux) Firefox/140.0"
    ):
        self.client = app.test_client()
        self.client.environ_base.update(REMOTE_ADDR=address, HTTP_USER_AGENT=agent)

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def submit(self, path: str, *, page: str | None = None, **fields: Any) -> TestResponse:
        """Open a page and send its form, or with `page` the form to `path` that is found there."""
        token = form_token(self.get(page or path).text)
        return self.client.post(path, data={"csrf_token": token, **fields})

    def log_in(self, login: str, password: str = PASSWORD, **fields: Any) -> TestResponse:
        return self.submit("/login", login=login, password=password, **fields)

    @property
    def cookie(self) -> str | None:
        kept = self.client.get_cookie(COOKIE)
        return kept.value if kept else None

    @cookie.setter
    def cookie(self, value: str) -> None:
        self.client.set_cookie(COOKIE, value)

    @property
    def user(self) -> str | None:
        """Return the handle of whoever is logged in here, as the site says it."""
        match = re.search(r'class="me-card" href="/@(\w+)"', self.get("/").text)
        return match[1] if match else None


def form_token(html: str) -> str:
    """Return the token in a page's first form."""
    match = re.search(r'name="csrf_token" value="([^"]+)"', html)
    assert match, f"no form in {html[:500]}"
    return match[1]


def without_tokens(html: str) -> str:
    """Return a page without what differs each time it is shown."""
    html = re.sub(r'name="csrf_token" value="[^"]+"', "", html)
    return re.sub(r'"X-CSRFToken": "[^"]+"', "", html)


def at_once(*calls: Callable[[], TestResponse]) -> list[TestResponse]:
    """Send several requests at the same moment, each from a thread of its own."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], TestResponse]) -> TestResponse:
        gate.wait(timeout=60)
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))
