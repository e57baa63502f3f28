"""Word filters: what they find, where they hold, and what they never touch."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, text

from app.accounts.models import User
from app.core import clock
from app.extensions import db, redis
from app.feed.home import from_postgres
from app.feed.timelines import modes
from app.posts.filters import operations as filters
from app.posts.filters.matching import is_filtered_by
from app.posts.models import COLLAPSE, HIDE, Post, WordFilter
from app.runtime.servers import EphemeralServers
from tests.notices import notice_undo
from tests.outbox import drain
from tests.people import Member, entries
from tests.sql import statements
from tests.threads import at_once

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"


def add(member: Member, phrase: str, *, match: str = "word", action: str = "hide", lasts: str = "ever") -> None:
    response = member.send("/settings/filters", phrase=phrase, match=match, action=action, lasts=lasts)
    assert response.status_code == 303, response.text


def only_filter(app: Flask) -> WordFilter:
    with app.app_context():
        return db.session.scalars(select(WordFilter)).one()


@pytest.mark.parametrize("fields", [{"lasts": "ever"}, {"lasts": "week", "match": "part", "action": "collapse"}])
def test_a_removed_filter_is_brought_back_as_it_was(
    app: Flask, bob: Member, carol: Member, fields: dict[str, str]
) -> None:
    add(bob, 'a "spoiler" & more', **fields)
    before = only_filter(app)
    bob.send(f"/settings/filters/{before.id}/delete")
    path, again = notice_undo(bob.get("/settings/filters").text)
    assert path == "/settings/filters"
    assert carol.send("/settings/filters", **again).status_code == 400, "the end is for its owner to bring back"
    assert bob.send("/settings/filters", **again).status_code == 303
    after = only_filter(app)
    for name in ("user_id", "phrase", "pattern", "is_whole_word", "action"):
        assert getattr(after, name) == getattr(before, name)
    assert (after.until is None) == (before.until is None)
    if before.until and after.until:
        assert abs((after.until - before.until).total_seconds()) < 1


WHOLE = [
    ("spoiler", "No spoiler here", True),
    ("spoiler", "spoiler", True),
    ("spoiler", "(spoiler)", True),
    ("spoiler", "“Spoiler”, they said", True),
    ("spoiler", "SPOILER!", True),
    ("spoiler", "spoilers", False),
    ("spoiler", "_spoiler", False),
    ("spoiler", "one\nspoiler\ntwo", True),
    ("spoiler", "#spoiler", True),
    ("two words", "these two   words", True),
    ("two words", "these two\n\nwords", True),
    ("two words", "two\u00a0words", True),
    ("two words", "twowords", False),
    ("two words", "two wordsmiths", False),
    ("c++", "I like C++.", True),
    ("c++", "I like c", False),
    ("c++", "c++17", True),
    ("c++", "abc++", False),
    (".net", "about .NET", True),
    ("a.c", "abc", False),
    ("a.c", "a.c", True),
    ("(", "a ( b", True),
    ("[a-z]+", "anything", False),
    ("[a-z]+", "say [a-z]+ now", True),
    (".*", "anything", False),
    ("(a+)+$", "a" * 200 + "!", False),
    ("100%", "100% sure", True),
    ("100%", "1000 sure", False),
    ("a_b", "axb", False),
    ("a_b", "a_b", True),
    ("a\\b", "a\\b", True),
    ("\\d", "5", False),
    ("***:x", "x", False),
    ("(?i)x", "x", False),
    ("@bob", "hello @Bob!", True),
    ("@bob", "alice@bob.example", False),
    ("@bob", "@bobby", False),
    ("#tea", "a #Tea", True),
    ("#tea", "a #teapot", False),
    ("#tea", "tea", False),
    ("café", "CAFÉ au lait", True),
    ("café", "cafe\u0301s et café", True),
    ("café", "cafeteria", False),
    ("ÜBER", "über alles", True),
    ("über", "überall", False),
    ("λόγος", "ΛΌΓΟΣ", True),
    ("москва", "В МОСКВА", True),
    ("茶", "我喜欢茶叶", True),
    ("お茶", "緑のお茶です", True),
    ("ชา", "ดื่มชาร้อน", True),
    ("차", "기차", False),
    ("🍵", "tea🍵time", True),
    (FAMILY, f"us {FAMILY} all", True),
    ("🇩🇪", "in 🇩🇪 now", True),
    ("x" * 100, "y " + "X" * 100, True),
    ("don't", "Don't!", True),
]


@pytest.mark.parametrize(("phrase", "words", "is_caught"), WHOLE)
def test_a_whole_word_is_found_as_people_mean_it(
    alice: Member, bob: Member, phrase: str, words: str, is_caught: bool
) -> None:
    post = alice.write(words)
    add(bob, phrase)
    assert bob.feed() == ([] if is_caught else [post])


PART = [
    ("poil", "Spoilers", True),
    ("two words", "showtwo  wordsmith", True),
    ("++", "c++", True),
    ("%", "100", False),
    ("%", "100%", True),
    ("_", "a b", False),
    (".", "a b", False),
    ("é", "CAFÉ", True),
    ("é", "cafe", False),
    ("차", "기차", True),
    ("\N{GIRL}", FAMILY, True),
]


@pytest.mark.parametrize(("phrase", "words", "is_caught"), PART)
def test_a_part_of_a_word_is_found(alice: Member, bob: Member, phrase: str, words: str, is_caught: bool) -> None:
    post = alice.write(words)
    add(bob, phrase, match="part")
    assert bob.feed() == ([] if is_caught else [post])


def test_a_content_warning_counts_and_does_not_run_into_the_text(alice: Member, bob: Member) -> None:
    assert alice.send("/posts", text="words below", warning="About spiders, two").status_code == 303
    [post] = bob.feed()
    add(bob, "two words")
    assert bob.feed() == [post]
    add(bob, "spiders")
    assert bob.feed() == []


@pytest.mark.parametrize("phrase", ["", "   ", "\u200b", "y" * 101, "a" + "\u0301" * 300])
def test_what_cannot_be_looked_for_is_refused_with_what_was_typed(bob: Member, phrase: str) -> None:
    response = bob.send("/settings/filters", phrase=phrase, match="part", action="collapse", lasts="week")
    assert response.status_code == 422
    assert 'class="error"' in response.text
    assert 'value="part" checked' in response.text and 'value="week" checked' in response.text


@pytest.mark.parametrize("field", ["match", "action", "lasts"])
def test_an_unknown_choice_is_refused(app: Flask, bob: Member, field: str) -> None:
    fields: dict[str, Any] = {"phrase": "x", "match": "word", "action": "hide", "lasts": "ever", field: "other"}
    assert bob.send("/settings/filters", **fields).status_code == 422
    with app.app_context():
        assert db.session.scalars(select(WordFilter)).all() == []


def test_there_is_a_limit_that_says_so(app: Flask, bob: Member) -> None:
    with app.app_context():
        user = db.session.get_one(User, bob.id)
        for n in range(filters.MAX_FILTERS):
            filters.add_filter(f"word {n}", by=user, action=HIDE, is_whole_word=True)
        db.session.commit()
    response = bob.send("/settings/filters", phrase="one more", match="word", action="hide", lasts="ever")
    assert response.status_code == 403
    assert "You already have 100 filters. Remove one first." in response.text


def test_of_several_at_once_only_those_are_kept_for_which_there_is_room(app: Flask, bob: Member) -> None:
    with app.app_context():
        user = db.session.get_one(User, bob.id)
        for n in range(filters.MAX_FILTERS - 1):
            filters.add_filter(f"word {n}", by=user, action=HIDE, is_whole_word=True)
        db.session.commit()
    fields: dict[str, Any] = {"match": "word", "action": "hide", "lasts": "ever"}
    tabs = [Member(app, bob.id, "bob") for _ in range(4)]
    answers = at_once(
        *[partial(tab.send, "/settings/filters", phrase=f"tab {n}", **fields) for n, tab in enumerate(tabs)]
    )
    assert sorted(answer.status_code for answer in answers) == [303, 403, 403, 403]


def test_the_longest_filters_there_can_be_are_no_error(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("äöü " * 100)
    with app.app_context():
        user = db.session.get_one(User, bob.id)
        for n in range(filters.MAX_FILTERS):
            phrase = f"{n:02}" + "äöüß字" * 39  # with other letters in each they would not share a beginning
            filters.add_filter(phrase[:100], by=user, action=(HIDE, COLLAPSE)[n % 2], is_whole_word=True)
        filters.remove_filter(db.session.scalars(select(WordFilter.id)).first() or 0, by=user)
        filters.add_filter("äöü", by=user, action=COLLAPSE, is_whole_word=False)
        db.session.commit()
    assert bob.feed() == [post]
    assert "Collapsed by your filter “<bdi>äöü</bdi>”" in bob.get("/").text


def test_own_posts_are_never_touched(alice: Member) -> None:
    post = alice.write("my own spoiler")
    add(alice, "spoiler")
    add(alice, "own", action="collapse")
    assert alice.feed() == alice.feed("/explore") == [post]
    assert "Collapsed" not in alice.get("/").text


# ---- Where they hold


def _cold(app: Flask, servers: EphemeralServers, alice: Member, bob: Member) -> None:
    with app.app_context(), redis.client() as client:
        client.flushall()


def _pushed(app: Flask, servers: EphemeralServers, alice: Member, bob: Member) -> None:
    bob.get("/")
    drain(app)
    bob.get("/")


def _pulled(app: Flask, servers: EphemeralServers, alice: Member, bob: Member) -> None:
    with app.app_context():
        modes.promote(alice.id)
        db.session.commit()
    _pushed(app, servers, alice, bob)


def _open(app: Flask, servers: EphemeralServers, alice: Member, bob: Member) -> None:
    """Nothing is fanned out: all of it is merged from the outbox."""


def _away(app: Flask, servers: EphemeralServers, alice: Member, bob: Member) -> None:
    servers.valkey.kill()


PATHS = [_cold, _pushed, _pulled, _open, _away]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("window", [5, 500])
def test_F2_F3_a_hidden_word_is_gone_from_home_at_once_and_pages_are_filled_up(
    app: Flask,
    servers: EphemeralServers,
    alice: Member,
    bob: Member,
    monkeypatch: pytest.MonkeyPatch,
    path: Callable[[Flask, EphemeralServers, Member, Member], None],
    window: int,
) -> None:
    monkeypatch.setitem(app.config, "FEED_WINDOW", window)
    posts = [alice.write(f"{'a spoiler' if n % 3 else 'plain'} {n}") for n in range(66)]
    plain = posts[::3][::-1]
    try:
        path(app, servers, alice, bob)
        assert bob.feed() == posts[::-1]
        add(bob, "spoiler")
        assert [len(page) for page in bob.pages("/")] == [20, 2]
        assert bob.feed() == plain
        with app.app_context():
            assert from_postgres.ids_below(db.session.get_one(User, bob.id), before=None, size=100) == plain
        filter_id = only_filter(app).id
        assert bob.send(f"/settings/filters/{filter_id}/delete").status_code == 303
        assert bob.feed() == posts[::-1]
    finally:
        if path is _away:
            servers.valkey.start()
            redis.init_app(app)


@pytest.mark.parametrize("path", PATHS)
def test_F2_a_collapsed_word_stays_in_its_place_and_says_why(
    app: Flask,
    servers: EphemeralServers,
    alice: Member,
    bob: Member,
    path: Callable[[Flask, EphemeralServers, Member, Member], None],
) -> None:
    plain, post = alice.write("plain"), alice.write("a spoiler")
    try:
        path(app, servers, alice, bob)
        add(bob, "spoiler", action="collapse")
        page = bob.get("/").text
        assert entries(page) == [post, plain]
        assert page.count('<details class="post-collapsed">') == 1
        assert "Collapsed by your filter “<bdi>spoiler</bdi>”" in page
        assert alice.get("/").text.count("post-collapsed") == 0
    finally:
        if path is _away:
            servers.valkey.start()
            redis.init_app(app)


@pytest.mark.parametrize("path", ["/explore", "/tags/tea"])
def test_a_hidden_word_is_gone_from_every_list_and_pages_are_filled_up(alice: Member, carol: Member, path: str) -> None:
    posts = [alice.write(f"#tea {'spoiler' if n % 2 else 'plain'} {n}") for n in range(44)]
    add(carol, "spoiler")
    assert [len(page) for page in carol.pages(path)] == [20, 2]
    assert carol.feed(path) == posts[::2][::-1]


def test_pages_that_name_the_author_show_it_collapsed(alice: Member, bob: Member) -> None:
    """Decision 0004: whoever goes there asked for it."""
    post = alice.write("a spoiler")
    add(bob, "spoiler")
    assert bob.feed() == []
    assert bob.send(f"/posts/{post}/bookmark").status_code == 303
    for path in ("/@alice", f"/@alice/{post}", "/bookmarks"):
        page = bob.get(path).text
        assert entries(page) == [post], path
        assert "Collapsed by your filter “<bdi>spoiler</bdi>”" in page


@pytest.mark.parametrize("action", ["hide", "collapse"])
def test_the_title_of_its_page_does_not_say_it(alice: Member, bob: Member, carol: Member, action: str) -> None:
    post = alice.write("a spoiler", images=alice.upload())
    add(bob, "spoiler", action=action)
    head = bob.get(f"/@alice/{post}").text.split("</head>")[0]
    assert "<title>Alice: “Filtered post”" in head
    assert "a spoiler" not in head and "og:image" not in head
    for who in (alice, carol):
        head = who.get(f"/@alice/{post}").text.split("</head>")[0]
        assert head.count("a spoiler") == 4 and "og:image" in head


def test_reposts_and_quotes_obey(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    original = carol.write("a spoiler")
    assert alice.send(f"/posts/{original}/repost").status_code == 303
    assert alice.send("/posts", text="look at this", quote_of=str(original)).status_code == 303
    quote, repost = bob.feed()
    add(bob, "spoiler", action="collapse")
    assert bob.get("/").text.count("Collapsed by your filter “<bdi>spoiler</bdi>”") == 2
    assert bob.feed() == [quote, repost]
    add(bob, "spoiler")
    page = bob.get("/").text
    assert entries(page) == [quote]
    assert "You chose to hide the quoted post." in page and "a spoiler" not in page


def test_the_pill_does_not_count_what_is_hidden(alice: Member, bob: Member) -> None:
    alice.write("first")
    since = bob.get("/").text.split("/feed/new?since=")[1].split('"')[0]
    add(bob, "spoiler")
    alice.write("a spoiler")
    assert bob.get(f"/feed/new?since={since}", fragment=True).status_code == 204
    alice.write("plain")
    assert "1 new post" in bob.get(f"/feed/new?since={since}", fragment=True).text


def test_F9_filters_take_one_further_statement_however_many_they_are(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("plain")
    drain(app)
    for n in range(5):
        add(bob, f"word {n}", action=("hide", "collapse")[n % 2])
    bob.get("/"), bob.get("/")
    with statements() as sent:
        bob.get("/")
    assert len(sent) == 3


def test_a_hundred_filters_are_asked_together(app: Flask, alice: Member, bob: Member) -> None:
    """Filter by filter, Postgres would compile each expression anew for every post."""
    with app.app_context():
        rows = [{"author": alice.id, "text": f"a post of some length, number {n}, " * 8} for n in range(500)]
        db.session.execute(text("INSERT INTO posts (author_id, text) VALUES (:author, :text)"), rows)
        user = db.session.get_one(User, bob.id)
        for n in range(100):
            filters.add_filter(f"unheard {n}", by=user, action=HIDE, is_whole_word=True)
        db.session.commit()
        found = select(Post.id).where(is_filtered_by(user, Post, HIDE))
        sql = str(found.compile(db.engine, compile_kwargs={"literal_binds": True}))
        plan = "\n".join(db.session.scalars(text(f"EXPLAIN {sql}")))
        parts = re.split(r"\n +(?=InitPlan|SubPlan)", plan)  # what is asked once, and what is asked for every post
        assert {part.split()[0] for part in parts if " on word_filters" in part} == {"InitPlan"}, plan
        assert db.session.scalars(found).all() == []
        assert sql.count("word_filters") and "ANY (CAST((SELECT" in sql


# ---- Time


def test_a_filter_ends_is_shown_as_ended_and_can_be_renewed(
    app: Flask, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = alice.write("a spoiler")
    add(bob, "spoiler", lasts="day")
    assert bob.feed() == []
    start = clock.now()
    monkeypatch.setattr(clock, "now", lambda: start + timedelta(days=1, minutes=1))
    assert bob.feed() == [post]
    listed = bob.get("/settings/filters").text
    assert "Expired" in listed and "Renew" in listed
    path = f"/settings/filters/{only_filter(app).id}"
    assert 'value="week" checked' in bob.get(path).text
    assert bob.send(path, phrase="spoiler", match="word", action="hide", lasts="week").status_code == 303
    assert bob.feed() == []
    monkeypatch.setattr(clock, "now", lambda: start + timedelta(days=9))
    assert bob.feed() == [post]


def test_ended_filters_are_forgotten_after_a_month(app: Flask, bob: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    add(bob, "spoiler", lasts="week")
    start = clock.now()
    for days, left in [(36, 1), (38, 0)]:
        monkeypatch.setattr(clock, "now", lambda days=days: start + timedelta(days=days))
        with app.app_context():
            filters.forget_ended_filters()
            db.session.commit()
            assert len(db.session.scalars(select(WordFilter)).all()) == left


def test_a_filter_is_changed_and_keeps_its_time(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("a spoiler")
    add(bob, "other", lasts="month")
    before = only_filter(app)
    path = f"/settings/filters/{before.id}"
    assert 'value="keep" checked' in bob.get(path).text
    assert bob.send(path, phrase="spoil", match="part", action="collapse", lasts="keep").status_code == 303
    after = only_filter(app)
    assert (after.phrase, after.is_whole_word, after.action, after.until) == ("spoil", False, COLLAPSE, before.until)
    assert bob.feed() == [post]
    assert "Collapsed by your filter “<bdi>spoil</bdi>”" in bob.get("/").text
    assert bob.send(path, phrase=" ", match="part", action="collapse", lasts="keep").status_code == 422


def test_nobody_touches_the_filters_of_others(app: Flask, bob: Member, carol: Member) -> None:
    add(bob, "spoiler")
    path = f"/settings/filters/{only_filter(app).id}"
    assert carol.get(path).status_code == 404
    for suffix in ("", "/delete"):
        assert carol.send(path + suffix, phrase="x", match="word", action="hide", lasts="ever").status_code == 404
    assert carol.send("/settings/filters/test", phrase="x", filter=path.rsplit("/", 1)[1]).status_code == 404
    assert "spoiler" not in carol.get("/settings/filters").text
    assert only_filter(app).phrase == "spoiler"


# ---- The test box


def test_it_shows_what_would_have_been_caught_and_stores_nothing(app: Flask, alice: Member, bob: Member) -> None:
    caught = alice.write("The <b>Tea</b> is hot. Tea! And the teapot.")
    alice.write("coffee")
    bob.write("my own tea")
    fields: dict[str, Any] = {"phrase": "tea", "match": "word", "action": "hide", "lasts": "ever"}
    page = bob.send("/settings/filters/test", **fields)
    assert page.status_code == 200 and "<!doctype html>" in page.text
    assert "It would have caught 1 of the last 3 posts in your home feed:" in page.text
    assert "The &lt;b&gt;<mark>Tea</mark>&lt;/b&gt; is hot. <mark>Tea</mark>! And the teapot." in page.text
    assert f"/@alice/{caught}" in page.text and 'value="tea"' in page.text
    fragment = bob.send("/settings/filters/test", fragment=True, **fields | {"match": "part"}).text
    assert "<!doctype html>" not in fragment
    assert "And the <mark>tea</mark>pot." in fragment
    with app.app_context():
        assert db.session.scalars(select(WordFilter)).all() == []


def test_it_looks_at_the_last_hundred_posts(alice: Member, bob: Member) -> None:
    alice.write("old tea")
    for n in range(100):
        alice.write(f"coffee {n}")
    page = bob.send("/settings/filters/test", fragment=True, phrase="tea", match="word").text
    assert "It wouldn’t have caught any of the last 100 posts in your home feed." in page
    assert "caught 100 of the last 100" in bob.send("/settings/filters/test", fragment=True, phrase="coffee").text


def test_of_a_filter_that_hides_already_it_shows_what_it_hides(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("a spoiler")
    add(bob, "spoiler")
    filter_id = only_filter(app).id
    fields: dict[str, Any] = {
        "phrase": "spoil",
        "match": "part",
        "action": "collapse",
        "lasts": "keep",
        "filter": str(filter_id),
    }
    assert "a <mark>spoil</mark>er" in bob.send("/settings/filters/test", fragment=True, **fields).text
    assert only_filter(app).phrase == "spoiler"
    assert bob.feed() == []


@pytest.mark.parametrize("named", ["", "x", "-1", "9" * 20, "9" * 5000])
def test_what_cannot_be_a_filter_is_none(alice: Member, bob: Member, named: str) -> None:
    alice.write("a spoiler")
    fields = {"phrase": "spoiler", "match": "word", "action": "hide", "lasts": "ever", "filter": named}
    answer = bob.send("/settings/filters/test", fragment=True, **fields)
    assert answer.status_code == 200 and "a <mark>spoiler</mark>" in answer.text


def test_an_empty_phrase_is_said_on_the_page_and_passed_over_while_typing(bob: Member) -> None:
    assert bob.send("/settings/filters/test", phrase="").status_code == 422
    assert bob.send("/settings/filters/test", phrase="", fragment=True).text.strip() == ""


def test_long_posts_are_shown_around_the_hit(alice: Member, bob: Member) -> None:
    alice.write("before " * 30 + "spoiler " + "after " * 40)
    found = bob.send("/settings/filters/test", fragment=True, phrase="spoiler", match="word").text
    assert "…" in found and "<mark>spoiler</mark> after" in found
    assert found.count("before") < 15


def test_what_images_are_said_to_show_counts_too(alice: Member, bob: Member) -> None:
    image = alice.upload()
    post = alice.write("Look!", images=image, **{f"alt-{image}": "A wasp on a pear"})
    assert bob.feed() == [post]
    caught = bob.send("/settings/filters/test", phrase="wasp", match="word", action="hide", lasts="ever").text
    assert "A <mark>wasp</mark> on a pear" in caught
    add(bob, "look a wasp")
    assert bob.feed() == [post], "a phrase does not reach from the text into an image"
    add(bob, "wasp")
    assert bob.feed() == []
