"""The people in the tests: each with a browser of their own, acting through the site's own addresses."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from io import BytesIO

from flask import Flask
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy import update
from werkzeug.test import TestResponse

from app.accounts import sessions
from app.accounts.models import LoginSession, User
from app.extensions import db
from tests.accounts.images import image_file

PASSWORD = "a good long password"
FRAGMENT = {"HX-Request": "true"}
CSRF_SECRET = "0123456789abcdef"


class Member:
    """Somebody with a browser. With an id they are logged in."""

    def __init__(self, app: Flask, user_id: int | None, handle: str, *, session_id: int | None = None) -> None:
        self.app = app
        self.id = user_id or 0
        self.handle = handle
        self.client = app.test_client()
        self.session_id = session_id
        self._open_session()
        self.csrf_token = str(URLSafeTimedSerializer(app.secret_key or "", salt="wtf-csrf-token").dumps(CSRF_SECRET))

    def in_new_browser(self) -> Member:
        """Return the same person in a browser that has seen no page yet.

        Their session is the one with which they began, under another token: a request that was left behind by the test
        before must find itself logged out.
        """
        return Member(self.app, self.id or None, self.handle, session_id=self.session_id)

    def _open_session(self) -> None:
        """Put a real session into the cookie, as a log-in would."""
        with self.client.session_transaction() as cookie:
            cookie["csrf_token"] = CSRF_SECRET
            if self.id:
                with self.app.app_context():
                    cookie["_user_id"] = self._start_session() if self.session_id is None else self._renew_session()
                    cookie["_fresh"] = True
                    db.session.commit()

    def _start_session(self) -> str:
        user = db.session.get_one(User, self.id)
        sessions.start(user, remember=True, agent="tests", address="127.0.0.1")
        self.session_id = user.session_id
        return user.get_id()

    def _renew_session(self) -> str:
        token = secrets.token_urlsafe(32)
        ours = update(LoginSession).where(LoginSession.id == self.session_id)
        db.session.execute(ours.values(token_hash=sessions.digest_of(token)))
        return token

    def get(self, path: str, *, fragment: bool = False) -> TestResponse:
        return self.client.get(path, headers=FRAGMENT if fragment else {})

    def send(self, path: str, *, fragment: bool = False, **fields: object) -> TestResponse:
        """Send a form with its token, as a page of ours would."""
        data = {"csrf_token": self.csrf_token, **fields}
        return self.client.post(path, data=data, headers=FRAGMENT if fragment else {})

    def write(self, text: str, **fields: object) -> int:
        """Post something and return its id."""
        response = self.send("/posts", fragment=True, text=text, **fields)
        assert response.status_code == 200, response.text
        return entries(response.text)[0]

    def upload(self, file: BytesIO | None = None) -> int:
        """Upload an image for a post, as the composer does, and return its id; `images=` of `write` takes it."""
        response = self.send("/images", fragment=True, image=(file or image_file("JPEG", size=(600, 400)), "photo.jpg"))
        assert response.status_code == 200, response.text
        return int(response.text.split('name="images" value="')[1].split('"')[0])

    def delete(self, post_id: int) -> None:
        assert self.send(f"/posts/{post_id}/delete").status_code == 303

    def follow(self, other: Member) -> None:
        self._relate(other, "follow")

    def unfollow(self, other: Member) -> None:
        self._relate(other, "follow/delete")

    def mute(self, other: Member) -> None:
        self._relate(other, "mute")

    def unmute(self, other: Member) -> None:
        self._relate(other, "mute/delete")

    def block(self, other: Member) -> None:
        self._relate(other, "block")

    def unblock(self, other: Member) -> None:
        self._relate(other, "block/delete")

    def close(self) -> None:
        """Make one's account private."""
        assert self.send("/settings/privacy", is_private="yes").status_code == 303

    def open(self) -> None:
        """Let everybody see one's account again."""
        assert self.send("/settings/privacy").status_code == 303

    def accept(self, other: Member) -> None:
        self._relate(other, "request/accept")

    def decline(self, other: Member) -> None:
        self._relate(other, "request/decline")

    def _relate(self, other: Member, what: str) -> None:
        response = self.send(f"/@{other.handle}/{what}")
        assert response.status_code == 303, response.text

    def pages(self, path: str) -> Iterator[list[int]]:
        """Walk a list from its top to its end and yield the entries of each page."""
        next_path: str | None = path
        while next_path is not None:
            response = self.get(next_path)
            assert response.status_code == 200, response.text
            yield in_order(response.text)
            next_path = next_link(response.text)

    def feed(self, path: str = "/") -> list[int]:
        """Return all entries of a list, by default of one's home feed."""
        return [entry for page in self.pages(path) for entry in page]


def entries(html: str) -> list[int]:
    """Return the ids of the feed items in a page, in order."""
    return [int(entry) for entry in re.findall(r'<article[^>]* data-entry="(\d+)"', html)]


ITEM = re.compile(r'<div class="(talk)"|(<div class="turn[^>]*>\s*)?<article[^>]* data-entry="(\d+)"')


def items(html: str) -> list[list[int]]:
    """Return the ids of the feed items in a page as they are laid out: those of a conversation are in one item."""
    found: list[list[int]] = []
    for talk, is_turn, entry in ITEM.findall(html):
        if talk or not is_turn:
            found.append([])
        if entry:
            found[-1].append(int(entry))
    return found


def in_order(html: str) -> list[int]:
    """Return the ids of the feed items in a page in the order of its list; conversations are laid out in another.

    Each is read from its oldest post to its newest, whose place it has.
    """
    laid_out = items(html)
    if all(len(item) == 1 for item in laid_out):
        return entries(html)  # not all lists are in the order of ids
    assert laid_out == sorted(map(sorted, laid_out), key=lambda item: -item[-1])
    return sorted(entries(html), reverse=True)


def next_link(html: str) -> str | None:
    """Return the address of the next page; None at the end."""
    match = re.search(r'<a rel="next"[^>]* href="([^"]+)"', html)
    return match[1].replace("&amp;", "&") if match else None
