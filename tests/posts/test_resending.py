"""A form makes one post, however often it is sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from app.extensions import db
from app.posts.models import Post, PostImage
from tests.accounts.images import image_file
from tests.people import Member, entries
from tests.threads import at_once

OTHER_WORDS = "You’ve already posted from this form, with other words."


def once_in(html: str) -> str:
    """Return what the form of a page is called."""
    [once] = set(re.findall(r'name="once" value="([^"]+)"', html))
    return str(once)


def number_of_posts(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(Post)) or 0


@pytest.mark.parametrize("fragment", [True, False])
def test_a_form_that_is_sent_twice_makes_one_post_and_gets_the_same_answer(
    app: Flask, alice: Member, fragment: bool
) -> None:
    form: dict[str, Any] = {"text": "hello #tea ", "once": once_in(alice.get("/").text)}
    first, second = (alice.send("/posts", fragment=fragment, **form) for _ in range(2))
    assert first.status_code == second.status_code == (200 if fragment else 303)
    assert first.location == second.location
    assert entries(first.text) == entries(second.text)
    assert number_of_posts(app) == 1


@pytest.mark.parametrize("fields", [{"over": "yes"}, {}])
def test_a_reply_that_is_sent_twice_is_answered_as_at_first(
    app: Flask, alice: Member, bob: Member, fields: dict[str, Any]
) -> None:
    post = alice.write("hello")
    form: dict[str, Any] = {
        "text": "indeed",
        "reply_to": post,
        "once": once_in(bob.get(f"/@alice/{post}").text),
        **fields,
    }
    first, second = (bob.send("/posts", fragment=True, **form) for _ in range(2))
    assert entries(first.text) == entries(second.text)
    assert first.headers.get("HX-Trigger") == second.headers.get("HX-Trigger")
    assert bob.send("/posts", **form).location == bob.send("/posts", **form).location
    assert number_of_posts(app) == 2
    alice.delete(post)
    assert bob.send("/posts", fragment=True, **form).status_code == 200, (
        "it was sent when there was something to answer"
    )
    assert number_of_posts(app) == 2


def test_of_two_clicks_at_once_one_makes_the_post_and_both_lead_to_it(app: Flask, alice: Member) -> None:
    for number in range(5):
        form: dict[str, Any] = {"text": f"hello {number}", "once": once_in(alice.get("/compose").text), "over": "yes"}
        clicks = [lambda form=form: entries(alice.send("/posts", fragment=True, **form).text)] * 4
        found = at_once(*clicks)
        assert len(set(map(tuple, found))) == 1 and len(found[0]) == 1
        assert number_of_posts(app) == number + 1


def test_images_are_posted_once_however_often_their_form_is_sent(app: Flask, alice: Member) -> None:
    image = alice.upload()
    form: dict[str, Any] = {"text": "", "images": image, f"alt-{image}": "a kite", "once": once_in(alice.get("/").text)}

    def send() -> TestResponse:
        return alice.send("/posts", fragment=True, **form)

    found = at_once(*[send] * 3)
    assert [answer.status_code for answer in found] == [200] * 3, found[-1].text
    assert len({tuple(entries(answer.text)) for answer in found}) == 1
    assert send().status_code == 200
    with app.app_context():
        assert [image.alt for image in db.session.scalars(select(PostImage))] == ["a kite"]
    assert number_of_posts(app) == 1


def test_without_javascript_a_file_that_is_sent_twice_is_in_one_post(app: Flask, alice: Member) -> None:
    once = once_in(alice.get("/compose").text)
    answers = [
        alice.send("/posts", text="hello", once=once, image=(image_file("JPEG", size=(90, 60)), "photo.jpg"))
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert answers[0].location == answers[1].location
    assert number_of_posts(app) == 1


def test_a_description_that_was_added_since_is_not_lost(app: Flask, alice: Member) -> None:
    image = alice.upload()
    form: dict[str, Any] = {"text": "", "images": image, "once": once_in(alice.get("/").text)}
    assert alice.send("/posts", **form).status_code == 303
    asked = alice.send("/posts", fragment=True, **form | {f"alt-{image}": "a kite"})
    assert asked.status_code == 422 and "You’d described it as “a kite”" in asked.text


@pytest.mark.parametrize("changed", [{"text": "hello, world"}, {"warning": "bees"}, {"audience": "followers"}])
def test_what_was_changed_since_is_not_lost(app: Flask, alice: Member, changed: dict[str, Any]) -> None:
    form: dict[str, Any] = {"text": "hello", "once": once_in(alice.get("/").text)}
    assert alice.send("/posts", **form).status_code == 303
    asked = alice.send("/posts", fragment=True, **form | changed)
    assert asked.status_code == 422 and OTHER_WORDS in asked.text
    assert number_of_posts(app) == 1
    assert once_in(asked.text) != form["once"]
    assert alice.send("/posts", **form | changed | {"once": once_in(asked.text)}).status_code == 303
    assert number_of_posts(app) == 2


def test_a_post_that_was_deleted_since_is_not_brought_back_but_can_be_sent_anew(app: Flask, alice: Member) -> None:
    form: dict[str, Any] = {"text": "hello", "once": once_in(alice.get("/").text)}
    [post] = entries(alice.send("/posts", fragment=True, **form).text)
    alice.delete(post)
    asked = alice.send("/posts", fragment=True, **form)
    assert asked.status_code == 422 and OTHER_WORDS in asked.text
    assert alice.send("/posts", **form | {"once": once_in(asked.text)}).status_code == 303
    assert len(alice.feed()) == 1


def test_every_form_is_a_new_one(alice: Member, bob: Member) -> None:
    """The answer form of a thread is kept for all who write with it alike."""
    post = alice.write("hello")
    paths = ["/", "/compose", f"/compose?reply_to={post}", f"/@alice/{post}"]
    seen = [once_in(who.get(path).text) for path in paths for who in (alice, bob, bob)]
    seen += [once_in(bob.send("/posts", fragment=True, text="again").text)]
    seen += [once_in(bob.send("/posts", fragment=True, text="again", reply_to=post).text)]
    assert len(set(seen)) == len(seen)


def test_forms_of_two_people_have_nothing_to_do_with_each_other(app: Flask, alice: Member, bob: Member) -> None:
    once = once_in(alice.get("/").text)
    for who in (alice, bob):
        who.write("hello", once=once)
    assert number_of_posts(app) == 2


@pytest.mark.parametrize("once", [None, "", "short", "x" * 300, "ü" * 20])
def test_what_is_no_name_of_a_form_posts_each_time(app: Flask, alice: Member, once: str | None) -> None:
    fields: dict[str, Any] = {} if once is None else {"once": once}
    for _ in range(2):
        alice.write("hello", **fields)
    assert number_of_posts(app) == 2


def test_a_form_that_was_refused_is_not_one_that_was_sent(app: Flask, alice: Member) -> None:
    once = once_in(alice.get("/").text)
    assert alice.send("/posts", text=" ", once=once).status_code == 422
    assert alice.send("/posts", text="hello", once=once).status_code == 303
    assert number_of_posts(app) == 1
