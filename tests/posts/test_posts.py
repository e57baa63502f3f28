"""Write, show, delete."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.accounts.models import UserCounters
from app.core import clock, ids
from app.extensions import db
from app.posts.models import Post, PostMention, PostTag
from tests.people import Member, entries
from tests.threads import at_once


def stored_texts(app: Flask) -> list[str]:
    with app.app_context():
        return list(db.session.scalars(select(Post.text).order_by(Post.id)))


@pytest.mark.parametrize("written", ["", "   ", "\n\n", "\u200b\u200d", "\u2800", "\u3164"])
def test_a_post_must_say_something(app: Flask, alice: Member, written: str) -> None:
    response = alice.send("/posts", text=written)
    assert response.status_code == 422
    assert "Write something first." in response.text
    assert stored_texts(app) == []


def test_length_is_counted_as_people_see_it(app: Flask, alice: Member) -> None:
    family = "👨‍👩‍👧‍👦"
    assert alice.send("/posts", text=family * 500).status_code == 303
    response = alice.send("/posts", text=family * 502)
    assert response.status_code == 422
    assert "This is 2 characters too long. The limit is 500." in response.text
    assert family * 502 in response.text, "what was typed is still there"


def test_line_breaks_and_everything_else_are_kept_but_harmless(app: Flask, alice: Member) -> None:
    alice.write("<script>alert(1)</script>\r\nsecond & line\n\n\n\nlast")
    assert stored_texts(app) == ["<script>alert(1)</script>\nsecond & line\n\nlast"]
    page = alice.get("/").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>second &amp; line<br><br>last" in page
    assert "<script>alert" not in page


def test_only_people_who_exist_are_linked(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("hello @Bob and @nobody_here, look at #Tea")
    page = alice.get("/").text
    assert '<a class="mention" href="/@Bob">@Bob</a>' in page
    assert "@nobody_here," in page
    assert 'href="/@nobody_here"' not in page
    assert '<a class="tag" href="/tags/tea">#Tea</a>' in page
    with app.app_context():
        assert db.session.scalars(select(PostMention.user_id)).all() == [bob.id]
        assert db.session.scalars(select(PostTag.tag)).all() == ["tea"]


def test_a_tag_is_one_in_whatever_case(alice: Member, carol: Member) -> None:
    posts = [alice.write("#Straße"), alice.write("#STRASSE")]
    assert carol.feed("/tags/strasse") == carol.feed("/tags/STRASSE") == list(reversed(posts))


def test_a_permalink_shows_the_post_to_everybody(alice: Member, stranger: Member) -> None:
    post = alice.write("for everybody")
    assert entries(stranger.get(f"/@alice/{post}").text) == [post]


def test_a_permalink_knows_its_author(alice: Member, bob: Member) -> None:
    post = alice.write("mine")
    assert bob.get(f"/@bob/{post}").status_code == 404
    assert bob.get(f"/@ALICE/{post}").location == f"/@alice/{post}"


def test_a_deleted_post_is_gone_for_good(app: Flask, alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("I regret this #tea @bob")
    alice.delete(post)
    for viewer in (alice, bob, stranger):
        response = viewer.get(f"/@alice/{post}")
        assert response.status_code == 410
        assert "deleted by its author" in response.text
    assert bob.feed() == bob.feed("/@alice") == bob.feed("/tags/tea") == []
    assert stored_texts(app) == [""], "the text is not kept"
    with app.app_context():
        assert db.session.scalars(select(PostTag.tag)).all() == []
    assert alice.send(f"/posts/{post}/delete").status_code == 410


def test_only_the_author_deletes(alice: Member, bob: Member, mod: Member) -> None:
    post = alice.write("mine")
    assert bob.send(f"/posts/{post}/delete").status_code == 403
    assert bob.get(f"/posts/{post}/delete").status_code == 403
    assert bob.feed() == [post]


def test_two_deletes_at_once_count_once(app: Flask, alice: Member) -> None:
    alice.write("stays")
    post = alice.write("goes")
    statuses = at_once(*[lambda: alice.send(f"/posts/{post}/delete").status_code] * 4)
    assert set(statuses) <= {303, 410}
    with app.app_context():
        assert db.session.get_one(UserCounters, alice.id).posts == 1


def test_posts_at_once_are_all_there_and_counted(app: Flask, alice: Member) -> None:
    at_once(*[lambda n=n: alice.write(f"at once {n}") for n in range(8)])
    assert len(alice.feed()) == 8
    with app.app_context():
        assert db.session.get_one(UserCounters, alice.id).posts == 8


def test_without_javascript_an_error_shows_the_form_again(alice: Member) -> None:
    response = alice.send("/posts", text="x" * 501)
    assert response.status_code == 422
    assert "<html" in response.text
    assert "x" * 501 in response.text


def test_the_menu_offers_what_fits(alice: Member, bob: Member) -> None:
    post = alice.write("look")
    assert "Delete this post" in alice.get(f"/posts/{post}/menu", fragment=True).text
    menu = bob.get(f"/posts/{post}/menu", fragment=True).text
    assert "Delete" not in menu
    assert "Unfollow @alice" in menu
    assert "Mute @alice" in menu
    assert "Block @alice" in menu


def test_deleting_asks_first(alice: Member) -> None:
    post = alice.write("are you sure")
    page = alice.get(f"/posts/{post}/delete").text
    assert "for good" in page
    assert f'action="/posts/{post}/delete"' in page


def test_ids_are_times_and_never_go_back(app: Flask) -> None:
    with app.app_context():
        drawn = [db.session.scalar(text("SELECT next_id()")) for _ in range(500)]
    assert drawn == sorted(set(drawn))
    assert abs((ids.time_of(drawn[-1]) - clock.now()).total_seconds()) < 5


def test_ids_drawn_at_once_are_unique(app: Flask) -> None:
    def draw() -> list[int]:
        with app.app_context():
            return list(db.session.scalars(text("SELECT next_id() FROM generate_series(1, 3000)")))

    drawn = [entry for part in at_once(draw, draw, draw, draw) for entry in part]
    assert len(set(drawn)) == len(drawn) == 12_000


def test_ids_go_on_when_the_clock_went_back(app: Flask) -> None:
    with app.app_context():
        ahead = ids.id_at(clock.now()) + (3_600_000 << ids.SEQUENCE_BITS)
        db.session.execute(text("SELECT setval('id_sequence', :ahead)"), {"ahead": ahead})
        assert db.session.scalar(text("SELECT next_id()")) == ahead + 1
        db.session.execute(text("ALTER SEQUENCE id_sequence RESTART WITH 1"))
        db.session.commit()
        assert db.session.scalar(text("SELECT next_id()")) < ahead
