"""Requests, Posts for you: what is only for people it mentions, by somebody whom one of them does not follow."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.people import Member
from tests.sql import statements

PAGE = "/requests/posts"


def letter(who: Member, text: str, **fields: object) -> int:
    return who.write(text, audience="mentioned", **fields)


def test_a_post_for_one_by_somebody_one_does_not_follow_is_under_requests(
    alice: Member, bob: Member, carol: Member, mod: Member
) -> None:
    assert "No posts for you right now" in bob.get(PAGE).text
    first = letter(carol, "@bob, are you there?")
    followed = letter(alice, "@bob, hers is in his home")
    second = letter(carol, "and what do you say?", reply_to=bob.write("hello"))
    carol.write("@bob, for everyone"), letter(carol, "@alice alone"), letter(bob, "@carol, from himself")
    assert bob.feed(PAGE) == [second, first]
    assert followed in bob.feed() and not {first, second} & set(bob.feed())
    assert mod.feed(PAGE) == []
    assert "Replying to" in bob.get(PAGE).text


def test_whoever_follows_has_it_in_their_home_instead(alice: Member, bob: Member, carol: Member) -> None:
    post = letter(carol, "@bob, are you there?")
    bob.follow(carol)
    assert bob.feed(PAGE) == [] and post in bob.feed()
    bob.unfollow(carol)
    assert bob.feed(PAGE) == [post] and post not in bob.feed()


@pytest.mark.parametrize("volume", ["all_replies", "all", "no_replies", "no_reposts", "highlights"])
def test_a_reply_only_for_people_it_mentions_reaches_them_at_every_volume_whomever_it_answers(
    alice: Member, bob: Member, carol: Member, mod: Member, volume: str
) -> None:
    question = mod.write("by somebody that Bob does not follow")
    assert bob.send("/@alice/volume", volume=volume).status_code == 303
    post = letter(alice, "@bob, what do you say to that?", reply_to=question)
    carol.follow(alice)
    assert post in bob.feed() and bob.feed(PAGE) == [] and post not in carol.feed()
    assert "only for the people mentioned" in bob.get(f"/posts/{post}/why?at=/").text
    bob.unfollow(alice)
    assert post not in bob.feed() and bob.feed(PAGE) == [post]


def test_what_one_hides_and_what_is_gone_is_not_there(alice: Member, bob: Member, carol: Member) -> None:
    post = letter(carol, "@bob, are you there?")
    bob.mute(carol)
    assert bob.feed(PAGE) == []
    bob.unmute(carol)
    bob.send("/settings/filters", phrase="there", match="word", action="hide", lasts="ever")
    assert bob.feed(PAGE) == []
    post = letter(carol, "@bob, hello")
    assert bob.feed(PAGE) == [post]
    carol.delete(post)
    assert bob.feed(PAGE) == []
    letter(carol, "@bob, hello again")
    carol.block(bob)
    assert bob.feed(PAGE) == []


def test_a_private_account_reaches_whom_it_mentions(bob: Member, carol: Member) -> None:
    carol.close()
    post = letter(carol, "@bob, between us")
    assert bob.feed(PAGE) == [post]


def test_it_comes_in_pages_of_a_constant_number_of_statements(bob: Member, carol: Member) -> None:
    posts = [letter(carol, f"@bob, number {n}") for n in range(3)]
    bob.get(PAGE)
    with statements() as few:
        bob.get(PAGE)
    posts += [letter(carol, f"@bob, number {n}") for n in range(3, 25)]
    with statements() as many:
        bob.get(PAGE)
    assert len(few) == len(many)
    assert [len(page) for page in bob.pages(PAGE)] == [20, 5]
    assert bob.feed(PAGE) == posts[::-1]


def test_it_says_why_and_where_it_is(app: Flask, bob: Member, carol: Member) -> None:
    post = letter(carol, "@bob, are you there?")
    told = bob.get(f"/posts/{post}/why?at={PAGE}", fragment=True).text
    assert "It’s for you, by someone you don’t follow." in told and "not in your home feed" in told
    page = bob.get(PAGE).text
    assert 'href="/requests/posts" aria-current="page"' in page and "by people you don’t follow" in page
    assert 'title="Requests"' in bob.get("/explore").text
