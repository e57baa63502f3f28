"""Images of posts: who may upload, see, describe and remove them, and that none is left behind."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from app.accounts.models import User
from app.core import clock
from app.extensions import db
from app.posts.deleting.operations import TIME_TO_RESTORE, erase_deleted
from app.posts.media import files as image_files
from app.posts.media import operations as images
from app.posts.models import Post, PostImage
from app.posts.writing import operations
from tests.accounts.images import gif_of, image_file, noise, png_that_claims
from tests.outbox import drain, open_jobs
from tests.people import PASSWORD, Member
from tests.posts.test_deleting import let_pass
from tests.sql import statements, wait_for_a_lock
from tests.threads import at_once

MEGABYTE = 1024 * 1024


def upload(who: Member, file: BytesIO | None = None, name: str = "photo.jpg", *, fragment: bool = True) -> TestResponse:
    """Upload an image as the composer does."""
    return who.send("/images", fragment=fragment, image=(file or image_file("JPEG", size=(600, 400)), name))


def path_of(app: Flask, image_id: int, size: str = "l") -> str:
    with app.app_context():
        return f"/media/posts/{image_files.name(db.session.get_one(PostImage, image_id).file, size)}"


def files(app: Flask) -> set[str]:
    """Return the names of the files that are stored."""
    folder: Path = app.config["DATA_FOLDER"] / "media" / "posts"
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def rows(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(PostImage)) or 0


@pytest.fixture(autouse=True)
def _empty_folder(app: Flask) -> None:
    for name in files(app):
        (app.config["DATA_FOLDER"] / "media" / "posts" / name).unlink()


@pytest.fixture
def image_id(alice: Member) -> int:
    """An image in a post of Alice's."""
    image_id = alice.upload()
    described: dict[str, Any] = {f"alt-{image_id}": "A pear tree"}
    alice.write("look", images=image_id, **described)
    return image_id


def test_an_upload_is_answered_with_its_preview(app: Flask, alice: Member) -> None:
    response = upload(alice, image_file("PNG", size=(1000, 500)))
    assert response.status_code == 200
    [address] = re.findall(r'<img src="([^"]+)"', response.text)
    assert address.endswith(".s.webp") and 'width="1000" height="500"' in response.text
    assert files(app) == {address.split("/")[-1].replace(".s.", f".{size}.") for size in "sml"}
    assert alice.get(address).mimetype == "image/webp"


@pytest.mark.parametrize("name", ["x.pdf", "../../etc/passwd", "a" * 5000, "photo.svg", "'; DROP TABLE users", "ünï"])
def test_the_name_of_a_file_does_not_matter(alice: Member, name: str) -> None:
    assert upload(alice, image_file("WEBP"), name).status_code == 200


@pytest.mark.parametrize(
    ("make", "name", "sentence"),
    [
        (lambda: b"not an image at all", "photo.jpg", "isn’t an image Freshet can read"),
        (lambda: b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', "photo.png", "isn’t an image"),
        (lambda: image_file("TIFF").getvalue(), "photo.jpg", "isn’t an image Freshet can read"),
        (lambda: image_file("JPEG", size=(600, 400)).getvalue()[:-900], "photo.jpg", "damaged"),
        (lambda: png_that_claims(9_000, 9_000).getvalue(), "photo.png", "too many pixels"),
        (lambda: gif_of(10_000).getvalue(), "photo.gif", "too long or too large"),
        (lambda: noise(at_least=8 * MEGABYTE).getvalue(), "photo.png", "too large. The limit is 8 MB"),
        (lambda: b"x" * 10 * MEGABYTE, "photo.png", "larger than Freshet accepts"),
        (lambda: b"", "", "Choose an image first"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_sentence(
    app: Flask, alice: Member, make: Callable[[], bytes], name: str, sentence: str
) -> None:
    response = upload(alice, BytesIO(make()), name)
    assert response.status_code in {413, 422}
    assert response.mimetype == "text/plain" and sentence in response.text
    assert (rows(app), files(app)) == (0, set())


def test_an_upload_without_a_file_is_refused(alice: Member) -> None:
    assert alice.send("/images", fragment=True).status_code == 422
    assert alice.send("/images", fragment=True, image="text").status_code == 422
    assert alice.send("/images", fragment=True, avatar=(image_file(), "me.png")).status_code == 400


def test_until_it_is_posted_only_its_owner_sees_an_image(
    app: Flask, alice: Member, bob: Member, mod: Member, stranger: Member
) -> None:
    path = path_of(app, alice.upload())
    assert alice.get(path).status_code == 200
    for who in (bob, mod, stranger):
        assert who.get(path).status_code == 404


def test_an_image_is_as_visible_as_its_post(
    app: Flask, alice: Member, bob: Member, carol: Member, mallory: Member, stranger: Member, image_id: int
) -> None:
    for size in ("s", "l"):
        path = path_of(app, image_id, size)
        for who in (alice, bob, carol, stranger):
            assert who.get(path).status_code == 200
        assert mallory.get(path).status_code == 404
        carol.mute(alice)
        assert carol.get(path).status_code == 200, "whoever opens the post of somebody they mute sees all of it"
        carol.unmute(alice)


def test_a_block_holds_on_the_very_next_request(app: Flask, alice: Member, carol: Member, image_id: int) -> None:
    path = path_of(app, image_id)
    response = carol.get(path)
    alice.block(carol)
    again = carol.client.get(path, headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 404, "not even that it has not changed"


def test_browsers_ask_again_each_time_and_are_told_that_nothing_changed(
    app: Flask, carol: Member, image_id: int
) -> None:
    path = path_of(app, image_id)
    response = carol.get(path)
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert carol.client.get(path, headers={"If-None-Match": response.headers["ETag"]}).status_code == 304


def test_an_image_carries_no_code_and_belongs_to_this_site(app: Flask, carol: Member, image_id: int) -> None:
    headers = carol.get(path_of(app, image_id)).headers
    assert headers["Content-Type"] == "image/webp"
    assert headers["Content-Security-Policy"] == "default-src 'none'; style-src-attr 'unsafe-inline'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("name", ["x.s.webp", "..%2f..%2fsecret_key", "%00.s.webp", "a" * 5000, ".", "ä.l.webp", "m"])
def test_nothing_else_is_sent_from_the_folder(alice: Member, image_id: int, name: str) -> None:
    assert alice.get(f"/media/posts/{name}").status_code in {400, 404}


def test_a_size_that_an_image_does_not_have_is_not_there(app: Flask, alice: Member, image_id: int) -> None:
    assert alice.get(path_of(app, image_id, "moving")).status_code == 404


def test_an_image_that_waits_can_be_taken_back_by_its_owner_alone(app: Flask, alice: Member, bob: Member) -> None:
    image_id = alice.upload()
    assert bob.send(f"/images/{image_id}/delete", fragment=True).status_code == 404
    assert rows(app) == 1
    assert alice.send(f"/images/{image_id}/delete", fragment=True).status_code == 200
    assert rows(app) == 0 and open_jobs(app) == ["posts.remove_images"]
    drain(app)
    assert files(app) == set()
    assert alice.send(f"/images/{image_id}/delete", fragment=True).status_code == 404


def test_an_image_of_a_post_cannot_be_taken_back(app: Flask, alice: Member, image_id: int) -> None:
    assert alice.send(f"/images/{image_id}/delete", fragment=True).status_code == 404
    assert rows(app) == 1


def alts(html: str) -> list[str]:
    """Return what the images of the cards on a page show, in words."""
    return re.findall(r'alt="([^"]+)" loading="lazy"', html)


def test_images_keep_their_order_and_their_descriptions(alice: Member, bob: Member) -> None:
    first, second, third, fourth = (alice.upload() for _ in range(4))
    described: dict[str, Any] = {f"alt-{third}": 'A "quoted" <b>word</b>', f"alt-{first}": "The first"}
    post_id = alice.write("look", images=[third, first, fourth, second], **described)
    words = ["A &#34;quoted&#34; &lt;b&gt;word&lt;/b&gt;", "The first"]
    words += ["Image 3 of 4, no description", "Image 4 of 4, no description"]
    for path in ("/", f"/@alice/{post_id}", "/@alice", "/explore"):
        assert alts(bob.get(path).text) == words, path


def test_a_post_may_have_images_and_no_text_but_not_neither(alice: Member, bob: Member) -> None:
    post_id = alice.write(" \n", images=alice.upload())
    page = bob.get(f"/@alice/{post_id}").text
    assert alts(page) == ["Image, no description"] and "<title>Alice: “Image”" in page
    assert alice.send("/posts", text=" ").status_code == 422


def refused(who: Member, *image_ids: int | str, **fields: Any) -> str:
    """Try to post images, which must fail, and return the page that says so."""
    response = who.send("/posts", text="typed with care", images=list(image_ids), **fields)
    assert response.status_code == 422, response.status
    assert "typed with care</textarea>" in response.text
    return response.text


def kept(html: str) -> list[int]:
    """Return the images in the form on a page."""
    return [int(image_id) for image_id in re.findall(r'name="images" value="(\d+)"', html)]


def test_only_ones_own_images_that_wait_can_be_posted_and_four_at_most(
    app: Flask, alice: Member, bob: Member, image_id: int
) -> None:
    own, foreign = [alice.upload() for _ in range(5)], bob.upload()
    page = refused(alice, *own)
    assert "A post can have up to four images." in page and kept(page) == own
    for other in (foreign, image_id, 1, 9_999_999_999_999_999):
        page = refused(alice, own[0], other)
        assert "One of your images is no longer here." in page and kept(page) == [own[0]]
    assert "up to four" in refused(alice, own[0], own[0])
    assert rows(app) == 7
    assert alice.send("/posts", text="nonsense is nothing", images=["x", "-1", "1" * 30, ""]).status_code == 303


def test_an_image_that_is_gone_is_named_whatever_else_is_wrong(alice: Member, bob: Member) -> None:
    own, foreign = alice.upload(), bob.upload()
    described: dict[str, Any] = {f"alt-{foreign}": "A <b>pear</b> tree"}
    page = refused(alice, own, foreign, **described)
    assert "You’d described it as “A &lt;b&gt;pear&lt;/b&gt; tree”" in page
    assert page.count("no longer here") == 1
    page = refused(alice, own, foreign, warning="w" * 101)
    assert "no longer here" in page and kept(page) == [own]


def test_the_oldest_that_wait_make_room_for_new_ones(
    app: Flask, alice: Member, bob: Member, image_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MAX_WAITING_IMAGES", 3)
    theirs = bob.upload()
    waiting = [alice.upload() for _ in range(5)]
    drain(app)
    with app.app_context():
        left = list(db.session.scalars(select(PostImage).order_by(PostImage.id)))
        assert [image.id for image in left] == [image_id, theirs, *waiting[2:]]
        assert {name.split(".")[0] for name in files(app)} == {image.file for image in left}
    alice.write("posted", images=waiting[2:])
    alice.upload()
    assert rows(app) == 6, "what is posted takes no room"


def test_an_image_that_is_posted_in_that_moment_stays(
    app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MAX_WAITING_IMAGES", 1)
    image_id, post_id = alice.upload(), alice.write("a post")
    with ThreadPoolExecutor(1) as pool, app.app_context():
        db.session.execute(update(PostImage).where(PostImage.id == image_id).values(post_id=post_id))
        newer = pool.submit(alice.upload)
        wait_for_a_lock()
        db.session.commit()
        newer.result(timeout=30)
    assert rows(app) == 2


def test_a_refused_text_or_description_costs_no_image(alice: Member) -> None:
    image_id = alice.upload()
    for alt in ("x" * 1001, "x" + "\u0316" * 8000):
        described: dict[str, Any] = {f"alt-{image_id}": alt}
        page = refused(alice, image_id, **described)
        assert "A description can have up to 1000 characters." in page
        assert kept(page) == [image_id] and alt in page
    response = alice.send("/posts", fragment=True, text="x" * 501, images=image_id)
    assert response.status_code == 422 and kept(response.text) == [image_id]


def test_of_two_posts_at_once_only_one_gets_an_image(app: Flask, alice: Member) -> None:
    image_id = alice.upload()
    tabs = [Member(app, alice.id, "alice") for _ in range(2)]
    calls = [lambda tab=tab: tab.send("/posts", text="look", images=image_id).status_code for tab in tabs]
    assert sorted(at_once(*calls)) == [303, 422]


def test_without_javascript_images_come_with_the_post(app: Flask, alice: Member, bob: Member) -> None:
    photos = [(image_file("JPEG", size=size), "photo.jpg") for size in ((600, 400), (400, 600))]
    response = alice.send("/posts", text="by hand", image=[*photos, (BytesIO(), "")])
    [post_id] = bob.feed()
    assert (response.status_code, response.location) == (303, f"/posts/{post_id}/images")
    assert 'width="600" height="400"' in bob.get("/").text and rows(app) == 2


def test_without_javascript_the_good_images_wait_while_the_bad_one_is_refused(
    app: Flask, alice: Member, bob: Member
) -> None:
    before = alice.upload()
    photos = [(image_file("JPEG"), "good.jpg"), (BytesIO(b"nonsense"), "<b>bad.jpg"), (image_file("PNG"), "fine.png")]
    page = refused(alice, before, image=photos)
    assert "&lt;b&gt;bad.jpg: This file isn’t an image Freshet can read." in page
    assert len(kept(page)) == 3 and kept(page)[0] == before
    assert alice.write("look", images=kept(page), remove=before) in bob.feed()
    assert len(alts(bob.get("/").text)) == 2


def test_without_javascript_a_fifth_file_is_refused_and_four_wait(alice: Member) -> None:
    page = refused(alice, image=[(image_file(), f"{number}.png") for number in range(6)])
    assert "A post can have up to four images." in page and len(kept(page)) == 4


def test_without_javascript_each_file_has_its_limit(app: Flask, alice: Member) -> None:
    photos = [(noise(at_least=size * MEGABYTE), f"{size}.png") for size in (7, 9)]
    page = refused(alice, image=photos)
    assert "9.png: This file is too large. The limit is 8 MB." in page and len(kept(page)) == 1


def test_images_cost_no_statement_however_many_there_are(app: Flask, alice: Member, bob: Member) -> None:
    def sent() -> int:
        with statements() as seen:
            assert bob.get("/explore").status_code == 200
        return len(seen)

    alice.write("words")
    bob.get("/explore")
    before = sent()
    for _ in range(3):
        alice.write("look", images=[alice.upload() for _ in range(4)])
    assert sent() == before


def test_a_quoted_post_shows_its_images(alice: Member, bob: Member, image_id: int) -> None:
    [quoted] = bob.feed()
    response = bob.send("/posts", fragment=True, text="what a tree", quote_of=quoted)
    assert response.status_code == 200
    assert alts(response.text) == ["A pear tree"]


def test_an_image_needs_no_text_when_its_post_is_edited_either(app: Flask, alice: Member, image_id: int) -> None:
    with app.app_context():
        post = db.session.get_one(Post, alice.feed()[0])
        operations.edit_post(post, "", by=db.session.get_one(User, alice.id), longest=500)
        db.session.commit()
    assert alts(alice.get("/").text) == ["A pear tree"]


def test_an_image_for_followers_is_for_followers(
    app: Flask, alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    image_id = alice.upload()
    alice.write("look", images=image_id, audience="followers")
    path = path_of(app, image_id)
    assert [who.get(path).status_code for who in (alice, bob, carol, stranger)] == [200, 200, 404, 404]
    bob.unfollow(alice)
    assert bob.get(path).status_code == 404


def test_an_image_for_the_mentioned_is_for_them(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    image_id = alice.upload()
    alice.write("for @carol", images=image_id, audience="mentioned")
    path = path_of(app, image_id)
    assert [who.get(path).status_code for who in (alice, bob, carol)] == [200, 404, 200]


def test_images_of_a_private_account_are_for_its_followers_from_the_next_request_on(
    app: Flask, alice: Member, bob: Member, carol: Member, stranger: Member, image_id: int
) -> None:
    path = path_of(app, image_id)
    assert [who.get(path).status_code for who in (alice, bob, carol, stranger)] == [200, 200, 200, 200]
    alice.close()
    assert [who.get(path).status_code for who in (alice, bob, carol, stranger)] == [200, 200, 404, 404]


def test_a_repost_shows_the_images_of_its_post(alice: Member, carol: Member, stranger: Member, image_id: int) -> None:
    [post_id] = alice.feed()
    assert carol.send(f"/posts/{post_id}/repost").status_code == 303
    assert alts(stranger.get("/@carol").text) == ["A pear tree"]


def test_with_a_post_its_images_go(app: Flask, alice: Member, bob: Member, image_id: int) -> None:
    path = path_of(app, image_id)
    [post_id] = alice.feed()
    alice.delete(post_id)
    assert bob.get(path).status_code == alice.get(path).status_code == 404
    assert rows(app) == 1 and "posts.remove_images" not in open_jobs(app), "that can still be undone"
    let_pass(app, 2 * TIME_TO_RESTORE)
    with app.app_context():
        erase_deleted()
        db.session.commit()
    assert rows(app) == 0 and "posts.remove_images" in open_jobs(app)
    drain(app)
    assert files(app) == set()


def test_deleting_a_post_without_images_leaves_no_work(app: Flask, alice: Member) -> None:
    post_id = alice.write("words")
    drain(app)
    alice.delete(post_id)
    assert open_jobs(app) == []


def test_those_that_wait_are_found_in_the_order_given(app: Flask, alice: Member, bob: Member, image_id: int) -> None:
    first, second, foreign = alice.upload(), alice.upload(), bob.upload()
    with app.app_context():
        alice_herself = db.session.get_one(User, alice.id)
        found = images.waiting([second, foreign, image_id, first, second, 1], of=alice_herself)
        assert [image.id for image in found] == [second, first]
        assert images.waiting([], of=alice_herself) == []


def found_again(who: Member, *image_ids: object) -> list[int]:
    """Ask for the images of a draft, as its page does."""
    query = "&".join(f"images={image_id}" for image_id in image_ids)
    response = who.get(f"/images?{query}", fragment=True)
    assert response.status_code == 200
    return kept(response.text)


def test_a_draft_finds_the_images_of_its_writer_that_wait(alice: Member, bob: Member, image_id: int) -> None:
    first, second, foreign = alice.upload(), alice.upload(), bob.upload()
    assert found_again(alice, second, foreign, first) == [second, first]
    assert found_again(alice, image_id, 1, second) == [second], "neither posted ones nor what never was"
    assert found_again(bob, first, second) == [] and found_again(bob, foreign) == [foreign]
    alice.send(f"/images/{first}/delete", fragment=True)
    assert found_again(alice, first, second) == [second]


def test_a_draft_finds_four_images_at_most_and_nonsense_finds_none(alice: Member) -> None:
    many = [alice.upload() for _ in range(5)]
    assert found_again(alice, *many) == many[:4]
    assert found_again(alice, many[0], many[0]) == many[:1]
    assert found_again(alice, "x", "-1", "1" * 30, "", "%C2%B2") == found_again(alice) == []


def test_the_author_describes_the_images_later(app: Flask, alice: Member, bob: Member, image_id: int) -> None:
    with app.app_context():
        post_id = db.session.get_one(PostImage, image_id).post_id
    path = f"/posts/{post_id}/images"

    def describe(who: Member, words: str) -> TestResponse:
        fields: dict[str, Any] = {f"alt-{image_id}": words}
        return who.send(path, **fields)

    assert "A pear tree</textarea>" in alice.get(path).text
    response = describe(alice, "  A swarm of bees\r\nin a pear tree ")
    assert (response.status_code, response.location) == (303, f"/@alice/{post_id}")
    assert "A swarm of bees\nin a pear tree</textarea>" in alice.get(path).text
    refused = describe(alice, "x" * 1001)
    assert refused.status_code == 422
    assert "up to 1000 characters" in refused.text and "x" * 1001 in refused.text
    assert bob.get(path).status_code == 403
    assert describe(bob, "nonsense").status_code == 403
    assert "A swarm of bees" in alice.get(path).text


def wrong_fields(page: str) -> list[int]:
    """Return the images whose descriptions are marked as wrong, each with a sentence of its own."""
    marked = [int(image) for image in re.findall(r'<textarea id="alt-(\d+)"[^>]* aria-invalid="true"', page)]
    assert all(f'aria-describedby="alt-{image}-error"' in page for image in marked)
    assert re.findall(r'<p class="error" id="alt-(\d+)-error"', page) == [str(image) for image in marked]
    return marked


def test_whatever_is_wrong_with_descriptions_is_said_at_each(alice: Member) -> None:
    chosen = first, second, third = [alice.upload() for _ in range(3)]
    described: dict[str, Any] = {f"alt-{first}": "x" * 1001, f"alt-{second}": "fine", f"alt-{third}": "y" * 1001}
    assert wrong_fields(refused(alice, *chosen, **described)) == [first, third]
    post = alice.write("look", images=chosen)
    page = alice.send(f"/posts/{post}/images", **described)
    assert page.status_code == 422 and wrong_fields(page.text) == [first, third]
    assert "2 descriptions need a change." in page.text and ">fine</textarea>" in page.text
    assert "fine" not in alice.get(f"/@alice/{post}").text, "all or none"
    alice.send("/settings/writing", descriptions="require")
    chosen = [alice.upload() for _ in range(2)]
    described = {f"alt-{chosen[0]}": "words"}
    assert wrong_fields(refused(alice, *chosen, **described)) == chosen[1:]


def test_a_post_without_images_has_none_to_describe(alice: Member) -> None:
    assert alice.get(f"/posts/{alice.write('words')}/images").status_code == 404


def test_images_that_nobody_posted_are_removed_after_a_week(
    app: Flask, alice: Member, image_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = alice.upload()
    before = files(app)
    for days in (0, 6):
        _let_pass(app, monkeypatch, timedelta(days=days))
        with app.app_context():
            images.forget_orphans()
            db.session.commit()
        assert (rows(app), files(app)) == (2, before)
    _let_pass(app, monkeypatch, timedelta(days=2))
    young = uploaded_now(app, alice)
    with app.app_context():
        images.forget_orphans()
        db.session.commit()
        left = set(db.session.scalars(select(PostImage.id)))
    assert left == {image_id, young} and orphan not in left
    assert len(files(app)) == 4, "two sizes of each"


def test_files_that_no_row_names_are_removed_after_a_week(
    app: Flask, alice: Member, image_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        lost = image_files.save(image_file())
        images.forget_orphans()
    assert f"{lost.file}.l.webp" in files(app), "its row may be on its way"
    _let_pass(app, monkeypatch, timedelta(days=8))
    with app.app_context():
        images.forget_orphans()
    assert f"{lost.file}.l.webp" not in files(app)
    assert alice.get(path_of(app, image_id)).status_code == 200


def _let_pass(app: Flask, monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    now = clock.now() + time
    monkeypatch.setattr(clock, "now", lambda: now)


def uploaded_now(app: Flask, who: Member) -> int:
    """Upload an image after the clock was moved: its row and its files are of that moment."""
    image_id = who.upload()
    with app.app_context():
        image = db.session.get_one(PostImage, image_id)
        moved = int(clock.now().timestamp())
        for size in ("s", "l"):
            os.utime(image_files.folder() / image_files.name(image.file, size), (moved, moved))
        image.id = image_id + (8 * 24 * 60 * 60 * 1000 << 12)
        db.session.commit()
        return image.id


def test_with_an_account_its_images_go(app: Flask, alice: Member, bob: Member, image_id: int) -> None:
    alice.upload()
    path, kept = path_of(app, image_id), bob.upload()
    alice.send("/settings/delete", current_password=PASSWORD)
    assert bob.get(path).status_code == 404
    drain(app)
    with app.app_context():
        assert list(db.session.scalars(select(PostImage.id))) == [kept]
    assert len(files(app)) == 2
