"""Deleting a post: it is gone at once, comes back within a few seconds, and is erased after that."""

from __future__ import annotations

import json
from datetime import timedelta

from flask import Flask
from sqlalchemy import func, select, update

from app.extensions import Model, db
from app.posts.deleting.models import DeletedPost
from app.posts.deleting.operations import TIME_TO_RESTORE, erase_deleted
from app.posts.media import files as image_files
from app.posts.models import Post, PostImage, PostTag, PostVersion
from tests.outbox import drain
from tests.people import Member


def let_pass(app: Flask, time: timedelta) -> None:
    """Let what was deleted be deleted so much longer ago."""
    with app.app_context():
        db.session.execute(update(DeletedPost).values(deleted_at=DeletedPost.deleted_at - time))
        db.session.commit()


def erase(app: Flask) -> None:
    with app.app_context():
        erase_deleted()
        db.session.commit()
    drain(app)


def rows(app: Flask, model: type[Model]) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(model)) or 0


def test_F3_a_deleted_post_is_gone_at_once_and_its_row_says_nothing(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("never mind #tea")
    drain(app)
    assert bob.feed() == [post]
    alice.delete(post)
    assert bob.feed() == alice.feed() == alice.feed("/@alice") == bob.feed("/tags/tea") == []
    assert bob.get(f"/@alice/{post}").status_code == 410
    assert "never mind" not in bob.get("/search?q=never").text.replace("q=never", "")
    with app.app_context():
        assert db.session.get_one(Post, post).text == ""


def test_undo_brings_it_back_with_all_that_it_had(app: Flask, alice: Member, bob: Member) -> None:
    image = alice.upload()
    post = alice.write("never mind #tea", images=[image], warning="leaves", **{f"alt-{image}": "a cup"})
    alice.send(f"/posts/{post}/edit", text="never mind at all #tea", warning="leaves")
    bob.send(f"/posts/{post}/like")
    bob.write("why?", reply_to=post)
    drain(app)
    before = bob.get(f"/@alice/{post}").text.count("never mind at all"), bob.feed()
    answer = alice.send(f"/posts/{post}/delete", fragment=True)
    assert json.loads(answer.headers["HX-Trigger"])["toast"]["undo"]["path"] == f"/posts/{post}/restore"
    assert alice.send(f"/posts/{post}/restore", fragment=True).status_code == 200
    drain(app)
    page = bob.get(f"/@alice/{post}").text
    assert (page.count("never mind at all"), bob.feed()) == before
    assert "a cup" in page and "leaves" in page and "Like, 1 so far" in page and "Reply, 1 so far" in page
    assert bob.get(f"/@alice/{post}/history").text.count("never mind") == 2
    assert bob.feed("/tags/tea") == [post]
    assert rows(app, DeletedPost) == 0


def test_counters_are_right_after_deleting_and_undoing_again_and_again(app: Flask, alice: Member, bob: Member) -> None:
    root = alice.write("root")
    reply = bob.write("reply", reply_to=root)
    for _ in range(3):
        bob.delete(reply)
        assert bob.send(f"/posts/{reply}/delete").status_code == 410
        assert "1 so far" not in alice.get(f"/@alice/{root}").text
        for _ in range(2):
            assert bob.send(f"/posts/{reply}/restore").location == f"/@bob/{reply}"
        assert "Reply, 1 so far" in alice.get(f"/@alice/{root}").text
    assert "<b>1</b> post" in alice.get("/@bob").text


def test_F2_a_timeline_that_was_built_meanwhile_gets_it_all_the_same(app: Flask, alice: Member, carol: Member) -> None:
    older = alice.write("older")
    post = alice.write("never mind")
    newer = alice.write("newer")
    drain(app)
    alice.delete(post)
    carol.follow(alice)  # her home is filled now
    assert carol.feed() == [newer, older]
    assert alice.send(f"/posts/{post}/restore").status_code == 303
    drain(app)
    assert carol.feed() == [newer, post, older]


def test_after_a_few_seconds_it_is_too_late(app: Flask, alice: Member) -> None:
    post = alice.write("never mind")
    alice.delete(post)
    let_pass(app, TIME_TO_RESTORE)
    answer = alice.send(f"/posts/{post}/restore", fragment=True)
    assert (answer.status_code, answer.text) == (410, "It’s too late to bring this post back.")
    assert alice.get(f"/@alice/{post}").status_code == 410


def test_nobody_else_brings_it_back(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("never mind")
    alice.delete(post)
    assert bob.send(f"/posts/{post}/restore").status_code == 410
    assert alice.get(f"/@alice/{post}").status_code == 410
    other = alice.write("still there")
    assert bob.send(f"/posts/{other}/restore").status_code == 403


def test_what_it_said_and_showed_is_erased_when_it_is_too_late_and_not_before(app: Flask, alice: Member) -> None:
    image = alice.upload()
    post = alice.write("never mind #tea", images=[image])
    alice.send(f"/posts/{post}/edit", text="never mind at all")
    with app.app_context():
        file = db.session.get_one(PostImage, image).file
        path = image_files.folder() / image_files.name(file, "l")
    alice.delete(post)
    address = f"/media/posts/{image_files.name(file, 'l')}"
    assert alice.get(address).status_code == 404
    erase(app)
    assert path.exists() and rows(app, PostVersion) == 1
    let_pass(app, 2 * TIME_TO_RESTORE)
    for _ in range(2):
        erase(app)
    assert not path.exists()
    assert [rows(app, each) for each in (DeletedPost, PostVersion, PostImage, PostTag)] == [0, 0, 0, 0]
    assert alice.send(f"/posts/{post}/restore").status_code == 410


def test_without_javascript_the_next_page_offers_to_undo(alice: Member) -> None:
    post = alice.write("never mind")
    alice.delete(post)
    page = alice.get("/").text
    assert "Post deleted." in page and f'action="/posts/{post}/restore"' in page
    assert "restore" not in alice.get("/").text
