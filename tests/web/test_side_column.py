"""The column beside a page: never the same box twice, and nobody in it whom the viewer does not see on the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from flask import Flask

from tests.people import Member
from tests.sql import statements


def beside(who: Member, path: str) -> str:
    """Return what is beside a page."""
    found = re.findall(r"<aside.*?</aside>", who.get(path).text, flags=re.S)
    assert len(found) <= 1
    return found[0] if found else ""


def people(who: Member, path: str) -> list[str]:
    return re.findall(r'<a class="me-card" href="/@(\w+)">', beside(who, path))


def tags(who: Member, path: str) -> list[str]:
    return re.findall(r'href="/tags/(\w+)"', beside(who, path))


# ---- Which page has what


def test_no_two_kinds_of_pages_have_the_same_box(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello #tea")
    boxes = [beside(bob, path) for path in ("/", f"/@alice/{post}", "/@alice", "/search?q=hello")]
    headings = [heading for box in boxes for heading in re.findall(r"<h2.*?</h2>", box)]
    assert all(boxes) and len(set(headings)) == len(headings) > 4


@pytest.mark.parametrize(
    "path", ["/settings/", "/settings/feed", "/explore", "/bookmarks", "/drafts", "/tags/tea", "/no"]
)
def test_other_pages_have_none(alice: Member, path: str) -> None:
    assert not beside(alice, path)


def test_the_promise_stands_on_home_and_on_the_welcome_page_alone(app: Flask, alice: Member) -> None:
    post = alice.write("hello")
    visitor = Member(app, None, "visitor")
    for who, path, is_there in (
        (alice, "/", True),
        (visitor, "/", True),
        (visitor, "/explore", False),
        (alice, f"/@alice/{post}", False),
        (alice, "/search", False),
    ):
        assert ("An honest feed" in who.get(path).text) == is_there, path


# ---- The people in a conversation


def test_a_conversation_has_its_people_in_the_order_of_reading(
    alice: Member, bob: Member, carol: Member, app: Flask
) -> None:
    root = carol.write("root")
    post = alice.write("post", reply_to=root)
    bob.write("answer", reply_to=post)
    alice.write("again", reply_to=root)
    assert people(bob, f"/@alice/{post}") == ["carol", "alice", "bob"]
    assert people(Member(app, None, "visitor"), f"/@alice/{post}") == ["carol", "alice", "bob"]
    box = beside(bob, f"/@alice/{post}")
    rows = dict(re.findall(r'<a class="me-card" href="/@(\w+)">(.*?)</li>', box, flags=re.S))
    assert "Following" in rows["alice"] and "You" in rows["bob"] and "chip" not in rows["carol"]


def test_what_the_viewer_does_not_see_puts_nobody_beside_it(
    alice: Member, bob: Member, carol: Member, mallory: Member, join: Callable[..., Member]
) -> None:
    post = bob.write("post")
    dora, peter, wendy, zoe = map(join, ("dora", "peter", "wendy", "zoe"))
    for who in (carol, mallory, dora, peter, wendy, zoe):
        answer = who.write("a spoiler" if who is wendy else "answer", reply_to=post)
        if who is dora:
            dora.delete(answer)
    zoe.write("not for everyone", reply_to=post, audience="followers")
    bob.write("below, so that each of them has a place", reply_to=answer)
    peter.close()
    alice.mute(carol)
    alice.send("/settings/filters", phrase="spoiler", match="word", action="hide", lasts="ever")
    assert people(alice, f"/@bob/{post}") == ["bob", "zoe"]
    assert people(carol, f"/@bob/{post}") == ["bob", "carol", "mallory", "wendy", "zoe"]


def test_the_author_of_a_post_that_its_viewer_mutes_is_not_put_forward(alice: Member, carol: Member) -> None:
    post = carol.write("post")
    alice.mute(carol)
    assert "post" in alice.get(f"/@carol/{post}").text
    assert not beside(alice, f"/@carol/{post}")


def test_a_long_list_of_people_is_cut(alice: Member, bob: Member, join: Callable[..., Member]) -> None:
    post = alice.write("post")
    for number in range(10):
        join(f"person{number}").write("answer", reply_to=post)
    assert len(people(bob, f"/@alice/{post}")) == 8
    assert "and 3 more" in beside(bob, f"/@alice/{post}")


# ---- A person's facts and tags


def test_a_profile_has_the_tags_that_its_owner_uses_most(alice: Member, bob: Member) -> None:
    for text in ("#rain", "#tea", "#tea and #cake", "#cake #tea", "nothing"):
        alice.write(text)
    bob.write("#other")
    assert tags(bob, "/@alice") == tags(alice, "/@alice/pictures") == ["tea", "cake", "rain"]


def test_tags_come_from_posts_that_the_viewer_sees(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    alice.delete(alice.write("#deleted"))
    alice.write("#followers", audience="followers")
    alice.write("#spoilers")
    alice.write("#open")
    assert tags(bob, "/@alice") == ["followers", "open", "spoilers"]
    assert tags(carol, "/@alice") == tags(Member(app, None, "visitor"), "/@alice") == ["open", "spoilers"]
    bob.send("/settings/filters", phrase="#spoilers", match="word", action="hide", lasts="ever")
    assert tags(bob, "/@alice") == ["followers", "open"]
    bob.mute(alice)
    assert tags(bob, "/@alice") == []
    alice.close()
    for who in (carol, Member(app, None, "visitor")):
        assert tags(who, "/@alice") == [] and "a week" not in beside(who, "/@alice")


def test_a_profile_says_how_much_is_written(alice: Member, bob: Member) -> None:
    assert "a week" not in beside(bob, "/@alice")
    alice.write("one")
    assert "about 1 a week" in beside(bob, "/@alice")
    bob.write("one")
    alice.follow(bob)
    assert "follow each other" in beside(bob, "/@alice") and "follow each other" not in beside(alice, "/@alice")


def test_the_tags_cost_one_statement_and_a_conversation_none(alice: Member, bob: Member) -> None:
    for number in range(30):
        post = alice.write(f"#tag{number}")
    bob.write("answer", reply_to=post)
    bob.get("/@alice"), bob.get(f"/@alice/{post}")
    with statements() as sent:
        bob.get("/@alice")
    assert len([statement for statement in sent if "post_tags" in statement and "GROUP BY" in statement]) == 1
    with statements() as of_a_fragment:
        bob.get("/@alice", fragment=True)
    assert not [statement for statement in of_a_fragment if "GROUP BY post_tags" in statement]
    with statements() as of_a_thread:
        bob.get(f"/@alice/{post}")
    assert len(of_a_thread) == 3
