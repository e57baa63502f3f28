"""Somebody who uses a running site over HTTP, with cookies of their own. An answer of 400 and above is an error."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.people import FRAGMENT, PASSWORD, entries

PATIENCE = 30.0


@dataclass(frozen=True)
class Answer:
    """What the site answered, and how long it took."""

    text: str
    headers: Message
    seconds: float

    @property
    def entries(self) -> list[int]:
        return entries(self.text)


class Visitor:
    """A person with a browser."""

    def __init__(self, url: str, handle: str) -> None:
        self.url = url
        self.handle = handle
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.token = ""

    def sign_up(self, path: str = "/signup") -> None:
        self.token = _token(self.get(path).text)
        self.send(
            path, handle=self.handle, name=self.handle.title(), email=f"{self.handle}@example.org", password=PASSWORD
        )
        self.token = _token(self.get("/").text)

    def get(self, path: str, *, fragment: bool = False) -> Answer:
        return self._ask(Request(self.url + path, headers=FRAGMENT if fragment else {}))

    def send(self, path: str, *, fragment: bool = False, **fields: str) -> Answer:
        body = urlencode({"csrf_token": self.token, **fields}).encode()
        return self._ask(Request(self.url + path, data=body, headers=FRAGMENT if fragment else {}))

    def write(self, text: str) -> int:
        """Post something and return its id."""
        return self.send("/posts", fragment=True, text=text).entries[0]

    def follow(self, other: Visitor) -> None:
        self.send(f"/@{other.handle}/follow")

    def place(self) -> str:
        """Return the token by which the home page asks what is new since now."""
        match = re.search(r'hx-get="/feed/new\?since=([^"]+)"', self.get("/").text)
        assert match, "the home page has no place for the pill"
        return match[1]

    def unread(self, since: str) -> int:
        """Return the number that the pill shows."""
        answer = self.get(f"/feed/new?since={since}", fragment=True)
        return int(json.loads(answer.headers["HX-Trigger"])["unread"])

    def _ask(self, request: Request) -> Answer:
        start = time.monotonic()
        response: HTTPResponse
        with self.opener.open(request, timeout=PATIENCE) as response:
            text = response.read().decode()
            return Answer(text, response.headers, time.monotonic() - start)


def _token(html: str) -> str:
    match = re.search(r'name="csrf_token" value="([^"]+)"', html) or re.search(r'"X-CSRFToken": "([^"]+)"', html)
    assert match, f"no token in {html[:500]}"
    return match[1]
