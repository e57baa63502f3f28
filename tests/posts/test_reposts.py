"""Reposts: entries of their own that point to a post, one for each person, undone without a trace."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from app.extensions import db
from app.posts.models import Post, PostCounters
from tests.outbox import drain
from tests.people import Member, entries
from tests.threads import at_once


def repost(who: Member, post: int) -> int:
    return who.send(f"/posts/{post}/repost").status_code


def undo(who: Member, post: int) -> int:
    return who.send(f"/posts/{post}/repost/delete").status_code


def reposts_of(app: Flask, post: int) -> tuple[int, int]:
    """Return how many reposts a post has, by its rows and by its counter."""
    with app.app_context():
        rows = db.session.scalar(select(func.count()).select_from(Post).where(Post.repost_of_id == post))
        counter = db.session.get(PostCounters, post)
        return rows or 0, counter.reposts if counter else 0


def test_a_repost_brings_a_post_to_ones_followers(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = carol.write("worth reading")
    assert repost(alice, post) == 303
    drain(app)
    [entry] = entries(bob.get("/").text)
    assert entry != post
    page = bob.get("/").text
    assert "worth reading" in page and 'Reposted by </span><a href="/@alice" dir="auto">Alice</a>' in page
    assert undo(alice, post) == 303
    assert bob.feed() == []


UNWANTED: dict[str, tuple[Callable[[Member, int], TestResponse], str]] = {
    "muted": (lambda bob, post: bob.send("/@carol/mute"), "You’ve muted @carol."),
    "filtered": (
        lambda bob, post: bob.send("/settings/filters", phrase="worth", match="word", action="hide", lasts="ever"),
        "Your filter “worth” hides it.",
    ),
    "conversation muted": (lambda bob, post: bob.send(f"/posts/{post}/mute"), "You’ve muted this conversation."),
}


@pytest.mark.parametrize("how", UNWANTED)
def test_ones_own_repost_of_what_one_hides_stays_on_ones_profile_and_not_in_ones_home(
    alice: Member, bob: Member, carol: Member, how: str
) -> None:
    post = carol.write("worth reading")
    assert repost(bob, post) == repost(alice, post) == 303
    [entry] = entries(bob.get("/@bob").text)
    hide, sentence = UNWANTED[how]
    assert hide(bob, post).status_code == 303
    assert bob.feed() == []
    page = bob.get("/@bob").text
    assert entries(page) == [entry] and f'action="/posts/{post}/repost/delete"' in page
    assert ("Collapsed by your filter" in page) == (how == "filtered")
    assert entries(bob.get("/@alice").text) == [], "on other profiles a repost is seen where its post is"
    assert entries(alice.get("/@bob").text) == [entry]
    why = bob.get(f"/posts/{entry}/why?at=/@bob", fragment=True).text
    told = html.unescape(re.sub(r"<[^>]+>", "", why))
    assert "It’s not in your home feed." in told and sentence in told
    assert undo(bob, post) == 303
    assert bob.feed("/@bob") == []


def test_ones_own_repost_of_what_one_may_not_see_is_nowhere(alice: Member, bob: Member, carol: Member) -> None:
    post = carol.write("worth reading")
    assert repost(bob, post) == 303
    carol.block(bob)
    assert bob.feed("/@bob") == bob.feed() == []


def test_the_button_says_whether_one_did(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    answer = bob.send(f"/posts/{post}/repost", fragment=True)
    assert 'aria-label="Reposted, 1 so far"' in answer.text and "Undo repost" in answer.text
    assert "<article" not in answer.text
    [toast] = json.loads(answer.headers["HX-Trigger"]).values()  # and nothing of the page moves
    undo = {
        "path": f"/posts/{post}/repost/delete",
        "into": f"#actions-{post}",
        "swap": "outerHTML",
        "fields": {"entry": str(post)},
        "shown": {},
    }
    assert toast == {"sentence": "Reposted.", "view": None, "undo": undo}
    answer = bob.send(f"/posts/{post}/repost/delete", fragment=True)
    assert 'aria-label="Repost"' in answer.text and "Undo repost" not in answer.text


def test_undoing_tells_the_page_which_entry_is_gone(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    repost(bob, post)
    [entry] = entries(bob.get("/@bob").text)
    answer = bob.send(f"/posts/{post}/repost/delete", fragment=True)
    said = json.loads(answer.headers["HX-Trigger"])
    assert said["entry-gone"] == entry and said["toast"]["sentence"] == "Repost undone."
    assert "HX-Trigger" not in bob.send(f"/posts/{post}/repost/delete", fragment=True).headers


def test_reposting_twice_is_once(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    assert [repost(bob, post) for _ in range(2)] == [303, 303]
    assert reposts_of(app, post) == (1, 1)
    assert [undo(bob, post) for _ in range(2)] == [303, 303]
    assert reposts_of(app, post) == (0, 0)


def test_clicks_at_once_make_one_repost_each(app: Flask, join: Callable[..., Member], alice: Member) -> None:
    post = alice.write("hello")
    fans = [join(f"fan{number}") for number in range(4)]
    at_once(*[partial(repost, Member(app, fan.id, fan.handle), post) for fan in fans for _ in range(2)])
    assert reposts_of(app, post) == (4, 4)
    both = [partial(act, Member(app, fan.id, fan.handle), post) for fan in fans for act in (repost, undo)]
    assert set(at_once(*both)) == {303}
    rows, counter = reposts_of(app, post)
    assert rows == counter
    drain(app)
    assert len(alice.feed("/explore")) == 1


def test_a_repost_and_the_end_of_its_post_at_once(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("soon gone")
    remove = lambda: alice.send(f"/posts/{post}/delete").status_code  # noqa: E731
    status, _ = at_once(partial(repost, bob, post), remove)
    assert status in {303, 410}
    drain(app)
    assert bob.feed() == bob.feed("/@bob") == [], "whatever came first, nothing is shown of it"


@pytest.mark.parametrize("audience", ["followers", "mentioned"])
def test_what_is_not_for_everyone_is_not_handed_on(alice: Member, bob: Member, audience: str) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="hush @bob", audience=audience).text)
    for path in (f"/posts/{post}/repost",):
        answer = bob.send(path)
        assert answer.status_code == 403
        assert "This post isn’t public, so it can’t be reposted." in answer.text
    answer = bob.send(f"/posts/{post}/repost", fragment=True)
    assert (answer.status_code, answer.mimetype) == (403, "text/plain")
    assert "action-repost" not in bob.get(f"/@alice/{post}").text


def test_ones_own_post_for_followers_can_be_brought_up_again(app: Flask, alice: Member, bob: Member) -> None:
    """From the menu, not by a button that only its author would see work: those who may see it see it again."""
    [post] = entries(alice.send("/posts", fragment=True, text="for followers", audience="followers").text)
    assert "/repost" in alice.get(f"/posts/{post}/menu?entry={post}", fragment=True).text
    assert "/repost" not in bob.get(f"/posts/{post}/menu?entry={post}", fragment=True).text
    assert repost(alice, post) == 303
    assert "action-repost" in alice.get(f"/@alice/{post}").text, "to take it back"
    drain(app)
    assert len(bob.feed("/@alice")) == 2


def test_a_post_and_its_repost_on_one_page_share_no_id(app: Flask, alice: Member) -> None:
    post = alice.write("hello")
    assert repost(alice, post) == 303
    page = alice.get("/@alice").text
    assert len(entries(page)) == 2
    found = re.findall(r'\sid="([^"]+)"', page)
    assert sorted(found) == sorted(set(found))


def test_whoever_reposted_is_named_up_to_two(app: Flask, join: Callable[..., Member], bob: Member) -> None:
    writer = join("wes")
    post = writer.write("worth it")
    friends = [join(f"friend{number}", name=f"Friend {number}") for number in range(4)]
    for number, friend in enumerate(friends):
        bob.follow(friend)
        assert repost(friend, post) == 303
        drain(app)
        words = re.sub(r"<[^>]+>", "", bob.get("/").text.partition("Reposted by")[2].partition("<time")[0]).strip()
        others = {2: "Friend 1 and 1 other you follow", 3: "Friend 1 and 2 others you follow"}
        shown = "Friend 0" if number == 0 else "Friend 0 and Friend 1" if number == 1 else f"Friend 0, {others[number]}"
        assert words == shown
    assert len(bob.feed()) == 1
