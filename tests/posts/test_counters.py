"""Replies, reposts and quotes are counted as they are, however many people press at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import delete, update

from app.accounts.models import UserCounters
from app.extensions import db
from app.posts.models import Post, PostCounters
from app.posts.reactions.counters import recount
from tests.people import Member, next_link
from tests.sql import wait_for_a_lock
from tests.threads import at_once

Counts = tuple[int, int, int]


def counts_of(app: Flask, post: int) -> Counts:
    """Return how many replies, reposts and quotes a post has; every counter is what the rows say."""
    with app.app_context():
        assert list(recount()) == []
        row = db.session.get(PostCounters, post)
        return (row.replies, row.reposts, row.quotes) if row else (0, 0, 0)


def posts_by(app: Flask, member: Member) -> int:
    with app.app_context():
        return db.session.get_one(UserCounters, member.id).posts


@pytest.fixture
def fans(join: Callable[..., Member]) -> list[Member]:
    return [join(f"fan{n}") for n in range(8)]


def test_replies_reposts_and_quotes_are_counted_and_taken_off(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    reply, quote = bob.write("hi", reply_to=post), bob.write("look", quote_of=post)
    bob.send(f"/posts/{post}/repost")
    bob.send(f"/posts/{post}/repost")
    assert counts_of(app, post) == (1, 1, 1)
    assert posts_by(app, bob) == 2, "a repost is nobody's post"
    for mine in (reply, quote):
        bob.delete(mine)
    bob.send(f"/posts/{post}/repost/delete")
    assert counts_of(app, post) == (0, 0, 0)
    assert posts_by(app, bob) == 0


def test_what_is_not_for_everyone_is_not_counted(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    bob.write("among us", reply_to=post, audience="followers")
    assert counts_of(app, post) == (0, 0, 0)


def test_what_a_private_account_says_is_not_counted_while_it_is_private(
    app: Flask, alice: Member, bob: Member, stranger: Member
) -> None:
    post = alice.write("hello")
    bob.write("before", reply_to=post)
    bob.write("look", quote_of=post)
    bob.send(f"/posts/{post}/repost")
    assert counts_of(app, post) == (1, 1, 1)
    bob.close()
    assert counts_of(app, post) == (0, 0, 0)
    gone = bob.write("meanwhile", reply_to=post)
    page = stranger.get(f"/@alice/{post}").text
    assert "so far" not in page and "<b>1</b>" not in page, "a number leads to what it counts"
    bob.delete(gone)
    bob.send(f"/posts/{post}/repost/delete")
    assert counts_of(app, post) == (0, 0, 0)
    bob.open()
    assert counts_of(app, post) == (1, 0, 1)


def test_a_reply_and_a_closing_door_at_once_leave_the_right_number(
    app: Flask, alice: Member, fans: list[Member]
) -> None:
    post = alice.write("hello")
    calls = [partial(fan.send, "/posts", text="hi", reply_to=post) for fan in fans[:4]]
    calls += [partial(Member(app, fan.id, fan.handle).send, "/settings/privacy", is_private="yes") for fan in fans[:4]]
    assert {answer.status_code for answer in at_once(*calls)} == {303}
    assert counts_of(app, post) == (0, 0, 0)


@pytest.mark.parametrize(("what", "path"), [("like", "likes"), ("repost", "reposts")])
def test_a_list_says_how_many_of_those_that_were_counted_it_does_not_show(
    alice: Member, bob: Member, mallory: Member, what: str, path: str
) -> None:
    post = bob.write("hello")
    mallory.send(f"/posts/{post}/{what}")
    assert "1 person isn’t shown to you." in alice.get(f"/@bob/{post}/{path}").text, "of whom she blocks"
    assert "Nobody has" not in alice.get(f"/@bob/{post}/{path}").text
    assert "shown to you" not in bob.get(f"/@bob/{post}/{path}").text


def test_replies_and_quotes_that_were_counted_and_are_not_shown_are_told_of(
    alice: Member, bob: Member, mallory: Member
) -> None:
    post = bob.write("hello")
    mallory.write("hi", reply_to=post)
    mallory.write("look", quote_of=post)
    assert "No replies you can see." in alice.get(f"/@bob/{post}").text
    assert "1 quote isn’t shown to you." in alice.get(f"/@bob/{post}/quotes").text
    assert "isn’t shown" not in bob.get(f"/@bob/{post}/quotes").text


def test_the_last_page_of_replies_says_how_many_of_those_that_are_counted_are_on_none(
    alice: Member, bob: Member, carol: Member, mallory: Member
) -> None:
    post = bob.write("hello")
    bob.write("and how the author goes on", reply_to=post)
    mallory.write("hi", reply_to=post)
    for number in range(10):
        carol.write(f"number {number}", reply_to=post)
    carol.write("not counted", reply_to=post, audience="followers")
    hidden = carol.write("she chose to hide a word", reply_to=post)
    assert (
        alice.send("/settings/filters", phrase="a word", match="word", action="hide", lasts="ever").status_code == 303
    )
    alice.follow(carol)
    first = alice.get(f"/@bob/{post}").text
    assert "shown to you" not in first and "Reply, 13 so far" in first
    onwards = next_link(first) or ""
    assert f'<a href="/@bob/{post}">Show the first replies</a>' in alice.get(onwards).text
    assert "Show the first" not in first + alice.get(onwards, fragment=True).text
    for fragment in (True, False):
        last = alice.get(onwards, fragment=fragment).text
        assert "2 replies aren’t shown to you." in last, "by whom she blocks, and with her word"
        assert "2 replies" not in bob.get(next_link(bob.get(f"/@bob/{post}").text) or "", fragment=fragment).text
    carol.delete(hidden)
    assert "1 reply isn’t shown to you." in alice.get(onwards).text


def test_the_last_page_of_a_long_list_says_so_too(alice: Member, bob: Member, mallory: Member) -> None:
    post = bob.write("hello")
    mallory.write("look", quote_of=post)
    for number in range(21):
        bob.write(f"number {number}", quote_of=post)
    path = f"/@bob/{post}/quotes"
    first = alice.get(path).text
    assert "shown to you" not in first
    for fragment in (True, False):
        assert "1 quote isn’t shown to you." in alice.get(next_link(first) or "", fragment=fragment).text
        assert "shown to you" not in bob.get(next_link(bob.get(path).text) or "", fragment=fragment).text
    for nonsense in ("x", "-5", "9" * 30):
        assert alice.get((next_link(first) or "").replace("listed=20", f"listed={nonsense}")).status_code == 200


def test_a_private_account_is_told_what_the_numbers_count(alice: Member) -> None:
    assert "The numbers below posts count what everyone can see" in alice.get("/settings/privacy").text


def test_what_is_between_a_few_is_not_counted_among_the_posts(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("hello")
    alice.write("among us", audience="followers")
    letter = alice.write("psst, @bob", audience="mentioned")
    assert counts_of(app, letter) == (0, 0, 0)
    assert posts_by(app, alice) == 2
    alice.send(f"/posts/{letter}/edit", text="psst, again", audience="everyone")
    assert posts_by(app, alice) == 2
    alice.delete(letter)
    assert counts_of(app, letter) == (0, 0, 0)
    assert posts_by(app, alice) == 2


@pytest.mark.parametrize("counter", ["replies", "reposts", "quotes"])
def test_a_wrong_number_is_found_and_put_right(app: Flask, alice: Member, bob: Member, counter: str) -> None:
    post = alice.write("hello")
    bob.write("hi", reply_to=post)
    bob.write("look", quote_of=post)
    bob.send(f"/posts/{post}/repost")
    with app.app_context():
        db.session.execute(update(PostCounters).values({counter: 7}))
        db.session.execute(update(UserCounters).where(UserCounters.user_id == bob.id).values(posts=3))
        db.session.commit()
    found = app.test_cli_runner().invoke(args=["recount"]).output
    assert f"post {post}: {counter} was 7, is 1" in found
    assert f"account {bob.id}: posts was 3, is 2" in found
    assert counts_of(app, post) == (1, 1, 1)


def test_reposts_and_undoings_at_once_end_in_the_right_number(app: Flask, alice: Member, fans: list[Member]) -> None:
    post = alice.write("hello")
    reposts = [partial(fan.send, f"/posts/{post}/repost") for fan in fans]
    assert {answer.status_code for answer in at_once(*reposts)} == {303}
    assert counts_of(app, post) == (0, 8, 0)
    again = [partial(Member(app, fan.id, fan.handle).send, f"/posts/{post}/repost") for fan in fans[:4]]
    undone = [partial(fan.send, f"/posts/{post}/repost/delete") for fan in fans[:4]]
    assert {answer.status_code for answer in at_once(*again, *undone)} == {303}
    assert 4 <= counts_of(app, post)[1] <= 8


def test_one_persons_clicks_at_once_are_one_repost(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    tabs = [Member(app, bob.id, "bob") for _ in range(8)]
    assert {
        answer.status_code for answer in at_once(*[partial(tab.send, f"/posts/{post}/repost") for tab in tabs])
    } == {303}
    assert counts_of(app, post) == (0, 1, 0)


def test_answers_to_each_others_posts_at_once_do_not_deadlock(app: Flask, fans: list[Member]) -> None:
    """Each answers one post and quotes another, crosswise, while older answers are deleted."""
    posts = [fan.write("hello") for fan in fans]
    old = [fan.write("first", reply_to=posts[n - 1]) for n, fan in enumerate(fans)]
    write = [
        partial(fan.send, "/posts", text="and", reply_to=posts[(n + 1) % 8], quote_of=posts[(n + 3) % 8])
        for n, fan in enumerate(fans[:4])
    ]
    erase = [partial(fan.send, f"/posts/{old[n + 4]}/delete") for n, fan in enumerate(fans[4:])]
    assert {answer.status_code for answer in at_once(*write, *erase)} == {303}
    totals = [counts_of(app, post) for post in posts]
    assert (sum(each[0] for each in totals), sum(each[2] for each in totals)) == (8, 4)


@pytest.mark.parametrize(
    ("path", "field"),
    [("/posts", "reply_to"), ("/posts", "quote_of"), ("/posts/{}/repost", None), ("/posts/{}/like", None)],
    ids=["reply", "quote", "repost", "like"],
)
def test_what_is_erased_under_ones_hand_is_no_error_of_ours(
    app: Flask, alice: Member, bob: Member, path: str, field: str | None
) -> None:
    """The purge of an account has deleted the post and not committed: whoever answers it then waits, and is told."""
    post = alice.write("hello")
    fields = {"text": "hi", field: post} if field else {}
    with ThreadPoolExecutor(1) as pool, app.app_context():
        db.session.execute(delete(Post).where(Post.id == post))
        answer = pool.submit(bob.send, path.format(post), fragment=False, **fields)
        wait_for_a_lock()
        db.session.commit()
        assert answer.result(timeout=30).status_code in {303, 404, 422}
    assert counts_of(app, post) == (0, 0, 0)
