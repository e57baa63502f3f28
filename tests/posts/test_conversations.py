"""A muted conversation stays out of lists, whoever answers in it, and comes back when it is unmuted."""

from __future__ import annotations

import json
import re

from flask import Flask

from tests.notices import notice_undo
from tests.outbox import drain
from tests.people import Member, entries


def answer(who: Member, post: int, text: str) -> int:
    response = who.send("/posts", fragment=True, text=text, reply_to=str(post))
    assert response.status_code == 200, response.text
    return entries(response.text)[0]


def test_it_leaves_every_list_with_all_that_is_and_will_be_answered(
    app: Flask, alice: Member, bob: Member, carol: Member
) -> None:
    bob.follow(carol)
    other = alice.write("#tea something else")
    first = alice.write("#tea let us talk")
    reply = answer(carol, first, "#tea yes, let us")
    own = answer(bob, reply, "#tea and I")
    drain(app)
    assert bob.feed() == [own, reply, first, other]
    assert bob.send(f"/posts/{reply}/mute", next="/").status_code == 303
    later = answer(alice, own, "#tea more of it")
    for path in ("/", "/tags/tea"):
        assert bob.feed(path) == [own, other], path
    assert first not in bob.feed("/explore")
    drain(app)
    assert bob.feed() == [own, other]
    assert entries(bob.get(f"/@alice/{first}").text)[0] == first  # a page that names it
    assert set(bob.feed("/@alice")) >= {first, other}
    assert carol.send(f"/posts/{first}/mute/delete", next="/").status_code == 303  # not hers to undo
    assert bob.feed() == [own, other]
    assert bob.send(f"/posts/{own}/mute/delete", next="/").status_code == 303
    assert bob.feed() == [later, own, reply, first, other]


def test_a_repost_of_it_does_not_bring_it_back(alice: Member, bob: Member, carol: Member) -> None:
    first = carol.write("let us talk")
    assert bob.send(f"/posts/{first}/mute").status_code == 303
    assert alice.send(f"/posts/{first}/repost").status_code == 303
    assert bob.feed() == []


def test_htmx_is_told_what_leaves_the_page(alice: Member, bob: Member) -> None:
    first = alice.write("let us talk")
    reply = answer(alice, first, "with myself")
    response = bob.send(f"/posts/{reply}/mute", fragment=True)
    events = json.loads(response.headers["HX-Trigger"])
    assert events["conversation-hidden"] == {"conversation": first, "but_of": bob.id}
    assert events["toast"]["sentence"] == "Conversation muted. Manage mutes in Settings."
    menu = bob.get(f"/posts/{first}/menu", fragment=True).text
    assert "Unmute this conversation" in menu and f'action="/posts/{first}/mute/delete"' in menu
    bob.send(f"/posts/{reply}/mute", fragment=True)  # twice is once
    undone = bob.send(f"/posts/{first}/mute/delete", fragment=True)
    assert "conversation-hidden" not in json.loads(undone.headers["HX-Trigger"])
    assert json.loads(undone.headers["HX-Trigger"])["toast"]["undo"]["path"] == f"/posts/{first}/mute"
    assert "Mute this conversation" in bob.get(f"/posts/{first}/menu", fragment=True).text


def test_settings_list_them_also_those_whose_first_post_is_gone(alice: Member, bob: Member, carol: Member) -> None:
    assert "You haven’t muted any conversations." in bob.get("/settings/conversations").text
    shown, gone, blocked = alice.write("stays"), alice.write("will be deleted"), carol.write("will be blocked")
    for post in (shown, gone, blocked):
        bob.send(f"/posts/{post}/mute")
    alice.delete(gone)
    carol.block(bob)
    page = bob.get("/settings/conversations").text
    assert "stays" in page and "will be" not in page and "Carol" not in page
    assert page.count("A conversation whose first post was deleted or isn’t visible to you") == 2
    for post in (shown, gone, blocked):
        assert bob.send(f"/settings/conversations/{post}/delete").status_code == 303
    assert "You haven’t muted any conversations." in bob.get("/settings/conversations").text
    assert bob.feed() == [shown]


def test_an_undone_unmute_is_muted_again_at_its_place_also_where_its_post_is_gone(alice: Member, bob: Member) -> None:
    posts = [alice.write(f"number {n}") for n in range(3)]
    for post in posts:
        bob.send(f"/posts/{post}/mute")
    alice.delete(posts[1])
    before = bob.get("/settings/conversations").text
    places = re.findall(r"/settings/conversations/(\d+)/delete", before)
    bob.send(f"/settings/conversations/{posts[1]}/delete")
    path, again = notice_undo(bob.get("/settings/conversations").text)
    assert alice.send(path, **again).status_code == 400, "it is Bob's"
    assert bob.send(path, **again).location == "/settings/conversations"
    assert re.findall(r"/settings/conversations/(\d+)/delete", bob.get("/settings/conversations").text) == places


def test_a_long_list_has_pages(alice: Member, bob: Member) -> None:
    for n in range(21):
        bob.send(f"/posts/{alice.write(f'number {n}')}/mute")
    page = bob.get("/settings/conversations").text
    assert page.count(">Unmute</button>") == 20
    more = page.split('rel="next"')[1].split('href="')[1].split('"')[0]
    assert bob.get(more, fragment=True).text.count(">Unmute</button>") == 1
