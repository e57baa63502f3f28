"""A profile in tabs, and who reposted and quotes a post: each a list of its own."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import text

from app.extensions import db
from app.posts.media import operations as images
from tests.accounts.images import image_file
from tests.people import Member, entries, next_link


def picture(app: Flask, who: Member, words: str) -> int:
    post = who.write(words)
    response = who.send("/images", fragment=True, image=(image_file(), "photo.png"))
    image = int(response.text.split('name="images" value="')[1].split('"')[0])
    with app.app_context():
        images.attach([images.Choice(image, "A cup")], to=post)
        db.session.commit()
    return post


def repost(who: Member, post: int) -> None:
    assert who.send(f"/posts/{post}/repost").status_code == 303


def test_each_kind_of_post_has_its_tab(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    theirs = bob.write("bob")
    plain = alice.write("plain")
    on = alice.write("goes on", reply_to=plain)
    answer = alice.write("answer", reply_to=theirs)
    quote = alice.write("quote", quote_of=theirs)
    pictured = picture(app, alice, "pictured")
    repost(alice, theirs)
    for who in (alice, carol):
        with app.app_context():
            entry = db.session.scalar(text("SELECT id FROM posts WHERE repost_of_id IS NOT NULL"))
        assert who.feed("/@alice") == [entry, pictured, quote, on, plain]
        assert who.feed("/@alice/replies") == [answer]
        assert who.feed("/@alice/pictures") == [pictured]
    assert "Reposted by" in carol.get("/@alice").text
    assert 'href="/@alice/replies" aria-current="page"' in carol.get("/@alice/replies").text
    assert "Carol hasn’t written any replies that you can see yet." in alice.get("/@carol/replies").text
    assert "Your pictures will show up here." in carol.get("/@carol/pictures").text


@pytest.mark.parametrize("tab", ["", "/replies", "/pictures"])
def test_a_tab_is_found_under_any_spelling_and_hidden_from_whom_one_blocks(
    alice: Member, mallory: Member, carol: Member, tab: str
) -> None:
    assert carol.get(f"/@ALICE{tab}").location == f"/@alice{tab}"
    assert mallory.get(f"/@alice{tab}").status_code == 404
    assert "You’ve blocked @mallory" in alice.get(f"/@mallory{tab}").text


def test_a_tab_has_pages_of_its_own(alice: Member, bob: Member) -> None:
    root = bob.write("root")
    answers = [alice.write(str(number), reply_to=root) for number in range(25)]
    assert alice.feed("/@alice/replies") == answers[::-1]
    onwards = next_link(alice.get("/@alice/replies").text)
    assert onwards and onwards.startswith("/@alice/replies?")
    assert entries(alice.get(onwards, fragment=True).text) == answers[4::-1]
    assert alice.get(onwards.replace("/replies", "")).status_code == 400


def test_who_reposted_and_who_quotes_is_listed_with_numbers(alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("hello")
    page = bob.get(f"/@alice/{post}").text
    assert f"/@alice/{post}/reposts" not in page and f"/@alice/{post}/quotes" not in page
    repost(bob, post)
    repost(carol, post)
    quote = carol.write("look", quote_of=post)
    page = bob.get(f"/@alice/{post}").text
    assert f'<a href="/@alice/{post}/reposts"><b>2</b> reposts</a>' in page
    assert f'<a href="/@alice/{post}/quotes"><b>1</b> quote</a>' in page
    people = alice.get(f"/@alice/{post}/reposts").text
    assert people.index("@carol") < people.index("@bob")
    assert entries(alice.get(f"/@alice/{post}/quotes").text) == [quote]
    other = alice.write("other")
    assert "Nobody has reposted" in bob.get(f"/@alice/{other}/reposts").text
    assert "Nobody has quoted" in bob.get(f"/@alice/{other}/quotes").text
    assert bob.get(f"/@bob/{post}/reposts").status_code == 404


def test_the_lists_name_nobody_whom_the_viewer_must_not_meet(
    app: Flask, alice: Member, bob: Member, carol: Member, mallory: Member, stranger: Member
) -> None:
    post = bob.write("hello")
    for who in (alice, mallory, carol):
        repost(who, post)
        who.write(f"said {who.handle}", quote_of=post)
    assert "@alice" not in mallory.get(f"/@bob/{post}/reposts").text
    assert "said alice" not in mallory.get(f"/@bob/{post}/quotes").text
    assert "@mallory" not in alice.get(f"/@bob/{post}/reposts").text
    with app.app_context():
        db.session.execute(text("UPDATE users SET is_private = true WHERE handle = 'carol'"))
        db.session.commit()
    assert "@carol" not in stranger.get(f"/@bob/{post}/reposts").text
    assert "said carol" not in stranger.get(f"/@bob/{post}/quotes").text
    assert "@alice" in stranger.get(f"/@bob/{post}/reposts").text


def test_a_like_on_the_page_of_a_post_changes_both_its_numbers(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    data = {"csrf_token": bob.csrf_token}
    here = {"HX-Request": "true", "HX-Current-URL": f"http://localhost/@alice/{post}"}
    answer = bob.client.post(f"/posts/{post}/like", data=data, headers=here).text
    assert f'id="counts-{post}" hx-swap-oob="true"' in answer and "<b>1</b> like<" in answer
    assert "post-counts" not in bob.send(f"/posts/{post}/like", fragment=True).text, "elsewhere they stand once"
