"""A post that is deleted while somebody's request is under way: they are told that it is gone, and lose nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.extensions import db
from app.posts.models import Post
from tests.people import Member
from tests.sql import right_before

CARDS = "AS follows_answered"  # the facts that cards are made of
Deleted = Callable[[int, Callable[[], TestResponse]], TestResponse]


@pytest.fixture
def deleted(app: Flask, alice: Member) -> Deleted:
    """Ask for something, and let Alice delete a post after it was found and before its card is read."""

    def ask(post: int, request: Callable[[], TestResponse]) -> TestResponse:
        with right_before(CARDS, lambda: Member(app, alice.id, "alice").delete(post)):
            return request()

    return ask


@pytest.mark.parametrize("fragment", [True, False])
@pytest.mark.parametrize(
    "path",
    ["/@alice/{}", "/@alice/{}/history", "/posts/{}/menu", "/posts/{}/why", "/posts/{}/edit", "/posts/{}/delete"],
)
def test_pages_say_that_it_is_gone(alice: Member, deleted: Deleted, path: str, fragment: bool) -> None:
    post = alice.write("soon gone")
    answer = deleted(post, lambda: alice.get(path.format(post), fragment=fragment))
    assert answer.status_code == 410
    assert "soon gone" not in answer.text and "deleted" in answer.text


def test_what_hangs_below_it_can_still_be_read(alice: Member, bob: Member, deleted: Deleted) -> None:
    post = alice.write("soon gone")
    bob.write("an answer", reply_to=post)
    answer = deleted(post, lambda: bob.get(f"/@alice/{post}"))
    assert answer.status_code == 410
    assert "an answer" in answer.text and "This post was deleted." in answer.text


@pytest.mark.parametrize("fields", [{"text": "from the desk", "version": 0}, {"text": "from the desk " * 50}])
def test_an_edit_that_is_refused_at_that_moment_is_given_back(
    app: Flask, alice: Member, deleted: Deleted, fields: dict[str, object]
) -> None:
    post = alice.write("as it was")
    alice.send(f"/posts/{post}/edit", text="from the phone")
    answer = deleted(post, lambda: alice.send(f"/posts/{post}/edit", fragment=False, **fields))
    assert answer.status_code == 410
    assert f">{fields['text']}</textarea>" in answer.text
    with app.app_context():
        assert db.session.get_one(Post, post).text == ""


@pytest.mark.parametrize("is_answer", [True, False])
def test_a_post_that_is_deleted_before_it_is_shown_to_its_author(
    app: Flask, alice: Member, bob: Member, deleted: Deleted, is_answer: bool
) -> None:
    about = {"reply_to": bob.write("answer me")} if is_answer else {}

    def newest() -> int:
        with app.app_context():
            return db.session.scalars(select(Post.id).order_by(Post.id.desc()).limit(1)).one()

    with right_before(CARDS, lambda: Member(app, alice.id, "alice").delete(newest())):
        answer = alice.send("/posts", fragment=True, text="soon gone", **about)
    assert answer.status_code == 410
    assert answer.text == "This post was deleted by its author."


def test_a_like_at_that_moment(alice: Member, bob: Member, deleted: Deleted) -> None:
    post = alice.write("soon gone")
    assert deleted(post, lambda: bob.send(f"/posts/{post}/like", fragment=True)).status_code == 410
