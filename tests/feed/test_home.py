"""The home feed keeps its promises. Tests cite the invariants of the design by number."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import text

from app.core.ids import MAX_ID
from app.extensions import db, redis
from app.feed.timelines import modes
from app.runtime.servers import EphemeralServers
from tests.outbox import drain
from tests.people import PASSWORD, Member, entries, next_link
from tests.redis_trips import round_trips
from tests.sql import statements


def test_F2_paging_gives_every_entry_once_and_newest_first(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    written = [author.write(f"post {n}") for n in range(24) for author in (alice, carol)]
    own = bob.write("mine")
    pages = list(bob.pages("/"))
    assert [len(page) for page in pages] == [20, 20, 9]
    assert [entry for page in pages for entry in page] == [own, *reversed(written)]


@pytest.mark.parametrize("number", [0, 1, 19, 20, 21, 40, 41])
def test_F2_holds_at_the_borders_of_pages(alice: Member, bob: Member, number: int) -> None:
    written = [alice.write(f"post {n}") for n in range(number)]
    pages = list(bob.pages("/"))
    assert [entry for page in pages for entry in page] == list(reversed(written))
    assert len(pages) == max(1, -(-number // 20))


def test_F2_strangers_are_not_in_the_feed(alice: Member, bob: Member, carol: Member) -> None:
    carol.write("nobody asked me")
    assert bob.feed() == []


def _unfollow(alice: Member, bob: Member, post: int) -> None:
    bob.unfollow(alice)


def _mute(alice: Member, bob: Member, post: int) -> None:
    bob.mute(alice)


def _block(alice: Member, bob: Member, post: int) -> None:
    bob.block(alice)


def _get_blocked(alice: Member, bob: Member, post: int) -> None:
    alice.block(bob)


def _delete(alice: Member, bob: Member, post: int) -> None:
    alice.delete(post)


def _leave(alice: Member, bob: Member, post: int) -> None:
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303


@pytest.mark.parametrize("change", [_unfollow, _mute, _block, _get_blocked, _delete, _leave])
def test_F3_what_must_not_be_seen_is_gone_on_the_very_next_read(
    alice: Member, bob: Member, change: Callable[[Member, Member, int], None]
) -> None:
    post = alice.write("now you see it")
    assert bob.feed() == [post]
    change(alice, bob, post)
    assert bob.feed() == []


def test_F3_undoing_a_mute_brings_everything_back(alice: Member, bob: Member) -> None:
    before = alice.write("before")
    bob.mute(alice)
    during = alice.write("during")
    bob.unmute(alice)
    assert bob.feed() == [during, before]


def test_F3_holds_in_the_middle_of_a_walk(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    posts = [author.write(f"post {n}") for n in range(20) for author in (alice, carol)]
    first = bob.get("/")
    bob.mute(alice)
    second = bob.get(next_link(first.text) or "")
    hers = posts[1::2]
    assert entries(second.text) == [entry for entry in reversed(hers) if entry < entries(first.text)[-1]]


def test_F4_what_arrives_above_does_not_move_what_is_below(alice: Member, bob: Member) -> None:
    old = [alice.write(f"old {n}") for n in range(45)]
    walk, path = [], "/"
    while path:
        response = bob.get(path)
        walk += entries(response.text)
        path = next_link(response.text) or ""
        alice.write("a new one in between")
    assert walk == list(reversed(old))


def test_F4_a_window_full_of_hidden_entries_still_leads_on(
    app: Flask, alice: Member, bob: Member, carol: Member
) -> None:
    app.config["FEED_WINDOW"] = 3
    try:
        bob.follow(carol)
        below = [alice.write(f"below {n}") for n in range(25)]
        for n in range(5):
            carol.write(f"above {n}")
        assert len(bob.feed()) == 30
        bob.mute(carol)
        assert [len(page) for page in bob.pages("/")] == [20, 5]
        assert bob.feed() == list(reversed(below))
    finally:
        app.config["FEED_WINDOW"] = 500


def test_F7_own_post_is_on_top_in_the_response_itself(alice: Member) -> None:
    alice.write("earlier")
    response = alice.send("/posts", fragment=True, text="here at once")
    assert "here at once" in response.text
    assert 'hx-swap-oob="afterbegin:#list"' in response.text
    assert alice.feed()[0] == entries(response.text)[0]


def test_F7_without_javascript_the_form_leads_home_where_the_post_is_on_top(alice: Member) -> None:
    response = alice.send("/posts", text="plain form")
    assert (response.status_code, response.location) == (303, "/")
    assert "plain form" in alice.get("/").text


@pytest.mark.parametrize("candidates", [1, 30, 500])
@pytest.mark.parametrize("pulled", [False, True], ids=["pushed", "pulled"])
def test_F9_a_warm_page_takes_two_statements_and_one_round_trip(
    app: Flask, join: Callable[..., Member], bob: Member, candidates: int, pulled: bool
) -> None:
    """Who reads, where they left off, generation, pulled authors and open work; the facts of the cards."""
    authors = [join(f"author{n}") for n in range(min(candidates, 10))]
    for author in authors:
        bob.follow(author)
    with app.app_context():
        _write_many([author.id for author in authors], candidates)
        if pulled:
            for author in authors:
                modes.promote(author.id)
        db.session.commit()
    drain(app)
    bob.get("/")
    bob.get("/")
    with statements() as sent, round_trips() as trips:
        page = bob.get("/").text
    assert len(entries(page)) == min(candidates, 20)
    assert len(sent) == 2
    assert trips == [["EVALSHA", "HMGET"] if pulled else ["EVALSHA"]]


def _write_many(author_ids: list[int], number: int) -> None:
    """Write posts in one statement, in turns, as if they had been there before anybody followed."""
    rows = [{"author": author_ids[n % len(author_ids)], "text": f"Number {n}"} for n in range(number)]
    db.session.execute(text("INSERT INTO posts (author_id, text) VALUES (:author, :text)"), rows)


def test_F10_without_redis_everything_goes_on(servers: EphemeralServers, alice: Member, bob: Member) -> None:
    servers.valkey.kill()
    try:
        post = alice.write("Redis is gone")
        assert bob.feed() == [post]
        bob.unfollow(alice)
        assert bob.feed() == []
        assert bob.get("/readyz").json == {"status": "ok", "redis": "away"}
    finally:
        servers.valkey.start()
        redis.init_app(bob.app)


def test_an_empty_feed_says_why(alice: Member, bob: Member, carol: Member) -> None:
    carol_sees = carol.get("/").text
    assert "You’re not following anyone yet" in carol_sees
    assert 'href="/@alice"' in carol_sees, "people to follow are shown"
    assert "nothing from the people you follow" in bob.get("/").text


def test_the_feed_of_nobody_is_a_welcome_page(stranger: Member, alice: Member) -> None:
    alice.write("for everybody to see")
    page = stranger.get("/").text
    assert "Sign up" in page
    assert "for everybody to see" in page


def test_the_plain_link_and_the_fragment_show_the_same_entries(alice: Member, bob: Member) -> None:
    for n in range(25):
        alice.write(f"post {n}")
    path = next_link(bob.get("/").text) or ""
    page, fragment = bob.get(path), bob.get(path, fragment=True)
    assert entries(page.text) == entries(fragment.text) != []
    assert "<html" in page.text
    assert "<html" not in fragment.text


def test_a_cursor_belongs_to_one_reader(alice: Member, bob: Member, carol: Member) -> None:
    for n in range(25):
        alice.write(f"post {n}")
    path = next_link(bob.get("/").text) or ""
    response = carol.get(path)
    assert response.status_code == 400
    assert "doesn’t work here" in response.text


def test_ids_fit_into_a_double() -> None:
    assert float(MAX_ID) == MAX_ID
    assert MAX_ID < 2**53
