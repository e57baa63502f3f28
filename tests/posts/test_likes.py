"""Likes and bookmarks: counted once each, shown to whom they concern, undone by a second click."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import text, update

from app.extensions import db
from app.posts.models import PostCounters
from tests.outbox import drain
from tests.people import PASSWORD, Member, entries
from tests.sql import statements
from tests.threads import at_once


def likes_on(html: str) -> int:
    """Return the number that the first card shows."""
    shown = re.search(r'class="action-number"[^>]*>(\d+)<', html)
    return int(shown[1]) if shown else 0


def is_pressed(html: str, button: str) -> bool:
    match = re.search(rf'class="action action-{button}"[^>]*aria-pressed="(true|false)"', html)
    assert match, html
    return match[1] == "true"


def like(who: Member, post: int) -> None:
    assert who.send(f"/posts/{post}/like").status_code == 303


def test_a_like_shows_at_once_and_is_taken_back(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    answer = bob.send(f"/posts/{post}/like", fragment=True)
    assert (is_pressed(answer.text, "like"), likes_on(answer.text)) == (True, 1)
    assert "<article" not in answer.text, "only what can be done with the post comes back"
    assert is_pressed(bob.get("/").text, "like") and not is_pressed(alice.get("/").text, "like")
    assert likes_on(alice.get("/").text) == 1
    answer = bob.send(f"/posts/{post}/like/delete", fragment=True)
    assert (is_pressed(answer.text, "like"), likes_on(answer.text)) == (False, 0)
    assert likes_on(alice.get("/").text) == 0


@pytest.mark.parametrize("what", ["like", "bookmark", "repost"])
def test_undoing_works_also_where_the_post_cannot_be_seen_any_more(
    app: Flask, alice: Member, bob: Member, what: str
) -> None:
    post = alice.write("hello")
    assert bob.send(f"/posts/{post}/{what}").status_code == 303
    alice.block(bob)
    answer = bob.send(f"/posts/{post}/{what}/delete", fragment=True, entry=post)
    events = json.loads(answer.headers["HX-Trigger"])
    assert (answer.status_code, answer.text, events["entries-gone"]) == (200, "", [post]), "it is not shown to him"
    assert (events.get("toast") or {}).get("undo") is None
    assert bob.send(f"/posts/{post}/{what}/delete").location == "/", "again, without JavaScript"
    table = {"like": "likes", "bookmark": "bookmarks", "repost": "posts WHERE repost_of_id IS NOT NULL"}[what]
    with app.app_context():
        assert db.session.scalar(text(f"SELECT count(*) FROM {table}")) == 0


def test_liking_twice_counts_once(alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("hello")
    for who in (bob, bob, carol, alice):
        like(who, post)
    assert likes_on(alice.get(f"/@alice/{post}").text) == 3
    for _ in range(2):
        bob.send(f"/posts/{post}/like/delete")
    assert likes_on(alice.get(f"/@alice/{post}").text) == 2


def test_clicks_at_once_count_once_each(app: Flask, join: Callable[..., Member], alice: Member) -> None:
    post = alice.write("hello")
    fans = [join(f"fan{n}") for n in range(4)]
    at_once(*[partial(like, Member(app, fan.id, fan.handle), post) for fan in fans for _ in range(2)])
    assert likes_on(alice.get("/").text) == 4
    both = [f"/posts/{post}/like", f"/posts/{post}/like/delete"]
    at_once(*[partial(Member(app, fan.id, fan.handle).send, path) for fan in fans for path in both])
    shown = likes_on(alice.get("/").text)
    with app.app_context():
        assert shown == db.session.scalar(text("SELECT count(*) FROM likes"))


def test_who_likes_it_is_listed_but_for_those_one_does_not_see(
    alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    post = alice.write("hello")
    for who in (bob, carol):
        like(who, post)
    page = stranger.get(f"/@alice/{post}/likes").text
    assert page.index("@carol") < page.index("@bob"), "the last first"
    bob.block(carol)
    assert "@carol" not in bob.get(f"/@alice/{post}/likes").text
    assert stranger.get(f"/@bob/{post}/likes").status_code == 404
    assert "Nobody has liked" in stranger.get(f"/@alice/{alice.write('another')}/likes").text


def test_a_stranger_sees_the_number_and_no_buttons(alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("hello")
    like(bob, post)
    page = stranger.get(f"/@alice/{post}").text
    assert likes_on(page) == 1 and "<form" not in page.partition("<article")[2].partition("</article>")[0]


def test_what_cannot_be_seen_cannot_be_liked(alice: Member, bob: Member) -> None:
    post, gone = alice.write("hello"), alice.write("soon gone")
    alice.delete(gone)
    assert bob.send(f"/posts/{gone}/like").status_code == 410
    alice.block(bob)
    for what in ("like", "bookmark"):
        assert bob.send(f"/posts/{post}/{what}").status_code == 404


def test_bookmarks_are_kept_in_order_and_for_oneself(alice: Member, bob: Member, carol: Member) -> None:
    one, two = alice.write("one"), alice.write("two")
    for post in (two, one, one):
        assert bob.send(f"/posts/{post}/bookmark").status_code == 303
    assert entries(bob.get("/bookmarks").text) == [one, two]
    assert entries(carol.get("/bookmarks").text) == entries(alice.get("/bookmarks").text) == []
    assert is_pressed(bob.get("/").text, "bookmark") and not is_pressed(alice.get("/").text, "bookmark")
    bob.send(f"/posts/{one}/bookmark/delete")
    alice.delete(two)
    assert entries(bob.get("/bookmarks").text) == []
    assert "No bookmarks yet" in bob.get("/bookmarks").text


def test_an_undone_removal_of_a_bookmark_is_back_at_its_place(alice: Member, bob: Member, carol: Member) -> None:
    posts = [alice.write(f"number {n}") for n in range(3)]
    for post in posts:
        bob.send(f"/posts/{post}/bookmark")
    undo = json.loads(bob.send(f"/posts/{posts[1]}/bookmark/delete", fragment=True).headers["HX-Trigger"])["toast"][
        "undo"
    ]
    assert bob.feed("/bookmarks") == [posts[2], posts[0]]
    assert carol.send(undo["path"], fragment=True, **undo["fields"]).status_code == 400, "it is his place"
    assert bob.send(undo["path"], fragment=True, **undo["fields"]).status_code == 200
    assert bob.feed("/bookmarks") == posts[::-1]


def test_bookmarks_go_on_over_pages(alice: Member, bob: Member) -> None:
    posts = [alice.write(f"number {n}") for n in range(25)]
    for post in posts:
        bob.send(f"/posts/{post}/bookmark")
    assert [len(page) for page in bob.pages("/bookmarks")] == [20, 5]
    assert bob.feed("/bookmarks") == posts[::-1]


def test_a_muted_author_stays_in_the_bookmarks_and_a_blocked_one_does_not(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    bob.send(f"/posts/{post}/bookmark")
    bob.mute(alice)
    assert entries(bob.get("/bookmarks").text) == [post]
    alice.block(bob)
    assert entries(bob.get("/bookmarks").text) == []


@pytest.mark.parametrize("page", ["/", "/explore", "/@alice"])
def test_without_javascript_one_comes_back_to_the_same_place(alice: Member, bob: Member, page: str) -> None:
    post = alice.write("hello")
    form = {"csrf_token": bob.csrf_token}
    headers = {"Referer": f"http://localhost{page}"}
    answer = bob.client.post(f"/posts/{post}/like", data=form, headers=headers)
    assert (answer.status_code, answer.location) == (303, f"{page}#post-{post}")
    elsewhere = bob.client.post(f"/posts/{post}/like", data=form, headers={"Referer": "https://example.org/"})
    assert elsewhere.location == f"/@alice/{post}#post-{post}"


def test_the_token_in_a_card_is_the_readers_own(app: Flask, alice: Member, bob: Member) -> None:
    """Cards are kept for everybody; the forms in them are for one session."""
    post = alice.write("hello")
    with bob.client.session_transaction() as session:
        session["csrf_token"] = "a secret of another session"
    pages = [who.get("/").text for who in (alice, bob)]
    tokens = [re.findall(r'name="csrf_token" value="([^"]+)"', page.partition("<article")[2])[0] for page in pages]
    assert tokens[0] != tokens[1]
    answer = bob.client.post(f"/posts/{post}/like", data={"csrf_token": tokens[1]})
    assert answer.status_code == 303
    assert bob.client.post(f"/posts/{post}/like", data={"csrf_token": tokens[0]}).status_code == 400


def test_the_likes_of_a_deleted_account_go(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("hello")
    for who in (bob, carol):
        like(who, post)
        who.send(f"/posts/{post}/bookmark")
    assert carol.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert "@carol" not in alice.get(f"/@alice/{post}/likes").text
    drain(app)
    assert likes_on(alice.get("/").text) == 1
    with app.app_context():
        assert db.session.execute(text("SELECT count(*) FROM bookmarks")).scalar() == 1


def test_a_wrong_number_is_found_and_put_right(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    like(bob, post)
    with app.app_context():
        db.session.execute(update(PostCounters).values(likes=7))
        db.session.commit()
    found = app.test_cli_runner().invoke(args=["recount"])
    assert f"post {post}: likes was 7, is 1" in found.output
    assert likes_on(alice.get("/").text) == 1


def test_likes_cost_a_page_no_statement_more(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    drain(app)
    bob.get("/")
    with statements() as before:
        bob.get("/")
    like(bob, post)
    with statements() as after:
        bob.get("/")
    assert len(after) == len(before)
