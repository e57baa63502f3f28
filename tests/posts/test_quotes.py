"""Quotes: a text of one's own above somebody else's post, as far as the reader may see that one."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.people import Member, entries
from tests.posts.test_composing import make_private

GONE = "The quoted post was deleted or isn’t visible to you."


def quote(who: Member, post: int, text: str = "look at this", **fields: str) -> int:
    answer = who.send("/posts", fragment=True, text=text, quote_of=post, **fields)
    assert answer.status_code == 200, answer.text
    return entries(answer.text)[0]


def test_a_quote_shows_both(alice: Member, bob: Member, stranger: Member) -> None:
    post = alice.write("the original #tea")
    page = bob.get(f"/compose?quote_of={post}").text
    assert "the original" in page and f'name="quote_of" value="{post}"' in page
    quoted = quote(bob, post)
    page = stranger.get(f"/@bob/{quoted}").text
    assert "look at this" in page and "the original" in page
    assert f'<a class="quoted-link" href="/@alice/{post}">' in page
    assert entries(page) == [quoted], "the quoted post is no entry"


def test_a_quote_is_offered_where_it_is_allowed(alice: Member, bob: Member) -> None:
    post = alice.write("for everyone")
    [hushed] = entries(alice.send("/posts", fragment=True, text="for followers", audience="followers").text)
    assert f"/compose?quote_of={post}" in bob.get(f"/posts/{post}/menu").text.partition('class="menu-page"')[2]
    assert "quote_of" not in bob.get(f"/posts/{hushed}/menu", fragment=True).text
    assert f"/compose?quote_of={hushed}" in alice.get(f"/posts/{hushed}/menu", fragment=True).text


def test_what_is_not_for_everyone_is_quoted_by_nobody_else(alice: Member, bob: Member) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="for followers", audience="followers").text)
    assert bob.get(f"/compose?quote_of={post}").status_code == 403
    answer = bob.send("/posts", text="but look", quote_of=post)
    assert answer.status_code == 403
    assert "can’t be quoted" in answer.text and ">but look</textarea>" in answer.text
    assert bob.feed("/@bob") == []
    assert quote(alice, post)


def test_a_post_that_became_private_meanwhile_is_not_quoted(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("for everyone")
    assert bob.get(f"/compose?quote_of={post}").status_code == 200
    make_private(app, alice)
    assert bob.send("/posts", text="but look", quote_of=post).status_code == 403


def test_a_quote_outlives_what_it_quotes(alice: Member, bob: Member) -> None:
    post = alice.write("soon gone")
    quoted = quote(bob, post)
    alice.delete(post)
    page = bob.get(f"/@bob/{quoted}").text
    assert "look at this" in page and GONE in page and "soon gone" not in page
    answer = bob.send("/posts", text="too late", quote_of=post)
    assert answer.status_code == 422 and ">too late</textarea>" in answer.text


def test_a_quoted_post_shows_only_to_whom_it_is_shown(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("the original")
    quoted = quote(carol, post)
    assert "the original" in bob.get(f"/@carol/{quoted}").text
    bob.mute(alice)
    page = bob.get(f"/@carol/{quoted}").text
    assert "the original" not in page and "You chose to hide the quoted post." in page
    bob.unmute(alice)
    make_private(app, alice)
    assert "the original" in bob.get(f"/@carol/{quoted}").text
    assert GONE in carol.get(f"/@carol/{quoted}").text
    alice.block(bob)
    assert GONE in bob.get(f"/@carol/{quoted}").text


def test_a_quote_of_a_quote_shows_one_level(alice: Member, bob: Member, carol: Member) -> None:
    first = alice.write("at the bottom")
    second = quote(bob, first, "in between")
    third = quote(carol, second, "on top")
    page = carol.get(f"/@carol/{third}").text
    assert "on top" in page and "in between" in page and "at the bottom" not in page
    assert page.count("Quotes another post") == 1 and "Quotes another post" not in bob.get(f"/@bob/{second}").text


def test_the_warning_of_a_quoted_post_stays_in_front_of_it(alice: Member, bob: Member) -> None:
    [post] = entries(alice.send("/posts", fragment=True, text="the butler did it", warning="the end").text)
    quoted = quote(bob, post)
    for path in (f"/@bob/{quoted}", f"/compose?quote_of={post}"):
        page = bob.get(path).text
        block = page[page.index('<blockquote class="quoted"') : page.index("</blockquote>")]
        assert block.index("<summary>") < block.index("the end") < block.index("</summary>") < block.index("the butler")


def test_an_edited_post_changes_in_its_quotes_at_once(alice: Member, bob: Member) -> None:
    post = alice.write("the butler did it")
    quoted = quote(bob, post)
    bob.get(f"/@bob/{quoted}")
    alice.send(f"/posts/{post}/edit", text="the gardener did it")
    page = bob.get(f"/@bob/{quoted}").text
    assert "the gardener did it" in page and "butler" not in page


@pytest.mark.parametrize("name", ["x", "-1", "1" * 30, "12345"])
def test_what_is_not_there_cannot_be_quoted(alice: Member, name: str) -> None:
    assert alice.get(f"/compose?quote_of={name}").status_code == 404
    answer = alice.send("/posts", text="hello", quote_of=name)
    assert answer.status_code == 422 and ">hello</textarea>" in answer.text


@pytest.mark.parametrize("unwanted", ["mute", "filter"])
def test_a_quote_of_what_one_chose_to_hide_says_so(alice: Member, bob: Member, carol: Member, unwanted: str) -> None:
    post = carol.write("rhubarb everywhere")
    quoted = quote(alice, post)
    if unwanted == "mute":
        bob.mute(carol)
    else:
        assert bob.send("/settings/filters", phrase="rhubarb", match="word", action="hide").status_code == 303
    for path in ("/", "/explore", f"/@alice/{quoted}"):
        page = bob.get(path).text
        assert "You chose to hide the quoted post." in page and f'href="/posts/{post}/thread">Show anyway' in page
        assert GONE not in page and "rhubarb" not in page.partition("<main")[2] and "@carol" not in page
    carol.block(bob)
    assert GONE in bob.get("/").text, "what they may not see they did not choose"
