"""Delete one's account: all of it is gone from every page at once, and from the database when the jobs are done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import func, or_, select, text

from app.accounts.models import LoginSession, RetiredHandle, User
from app.activity.models import Activity
from app.extensions import db
from app.posts.models import Post, PostCounters
from app.posts.reactions.counters import recount
from app.social.models import Block, Follow, Mute
from tests.accounts.browser import Browser
from tests.accounts.images import image_file
from tests.outbox import drain, open_jobs
from tests.people import PASSWORD, Member

NEWCOMER = {"name": "New Comer", "email": "new@example.org", "password": PASSWORD}


@pytest.fixture
def post_id(alice: Member, bob: Member, carol: Member, mallory: Member) -> int:
    """Alice has lived here: a picture, posts, people on all sides. She wrote this post."""
    alice.send("/settings/profile", name="Alice Liddell", bio="I write.", avatar=(image_file(), "me.png"))
    alice.follow(carol)
    carol.mute(alice)
    alice.mute(bob)
    bob.write("a word to @alice")
    return alice.write("a word about #tea")


@pytest.fixture
def gone(alice: Member, post_id: int) -> Member:
    """Alice, who has just deleted her account. No job has run yet."""
    response = alice.send("/settings/delete", current_password=PASSWORD)
    assert (response.status_code, response.location) == (303, "/")
    return alice


@pytest.mark.parametrize("password", ["wrong", "", PASSWORD.upper(), PASSWORD + "x" * 256])
def test_without_the_password_nothing_happens(alice: Member, bob: Member, post_id: int, password: str) -> None:
    response = alice.send("/settings/delete", current_password=password)
    assert response.status_code == 422
    assert 'id="current_password-error"' in response.text
    assert alice.get("/settings/delete").status_code == 200
    assert post_id in bob.feed()


def test_a_goodbye_is_said_and_the_door_is_closed(app: Flask, gone: Member) -> None:
    assert "Your account has been deleted." in gone.get("/").text
    assert gone.get("/settings/profile").status_code == 303
    assert Browser(app).log_in("alice").status_code == 422
    assert Browser(app).log_in("alice@example.org").status_code == 422


def test_all_her_devices_are_logged_out(app: Flask, alice: Member, post_id: int) -> None:
    elsewhere = Browser(app)
    elsewhere.log_in("alice")
    alice.send("/settings/delete", current_password=PASSWORD)
    assert elsewhere.user is None
    with app.app_context():
        assert db.session.scalar(select(func.count()).where(LoginSession.user_id == alice.id)) == 0


@pytest.mark.parametrize("path", ["/@alice", "/@ALICE", "/@alice/followers", "/@alice/following"])
def test_the_profile_says_that_it_is_gone(gone: Member, bob: Member, stranger: Member, path: str) -> None:
    for viewer in (bob, stranger):
        response = viewer.get(path)
        assert response.status_code == 410
        assert "This account has been deleted." in response.text
        assert "Liddell" not in response.text


def test_her_posts_are_gone(gone: Member, bob: Member, stranger: Member, post_id: int) -> None:
    for viewer in (bob, stranger):
        assert viewer.get(f"/@alice/{post_id}").status_code == 404
    assert bob.get(f"/posts/{post_id}/menu").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/feed", "/explore", "/explore/people", "/tags/tea", "/@bob", "/@bob/following", "/@bob/followers"),
        *("/@carol/followers", "/@carol/following", "/settings/mutes", "/settings/blocks"),
    ],
)
def test_no_page_shows_her_any_more(
    gone: Member, bob: Member, carol: Member, mallory: Member, stranger: Member, path: str
) -> None:
    for viewer in (bob, carol, mallory, stranger):
        page = viewer.get(path).text
        assert "Liddell" not in page and "/media/avatars/" not in page, viewer.handle or "a stranger"
        assert "a word about" not in page
        assert 'href="/@alice"' not in page, "a mention of somebody who is gone is plain text"


def test_a_viewer_who_was_blocked_by_her_learns_no_more_than_others(gone: Member, mallory: Member) -> None:
    assert mallory.get("/@alice").status_code == 410


@pytest.mark.parametrize("path", ["follow", "mute", "block", "follow/delete", "mute/delete", "block/delete"])
def test_nobody_can_relate_to_her_any_more(gone: Member, bob: Member, path: str) -> None:
    assert bob.send(f"/@alice/{path}").status_code == 410


def test_the_jobs_leave_no_row_and_no_file_of_hers(app: Flask, gone: Member) -> None:
    with app.app_context():
        avatar = db.session.get_one(User, gone.id).avatar
        files = app.config["DATA_FOLDER"] / "media" / "avatars"
        assert avatar is not None and (files / avatar).exists()
    assert open_jobs(app).count("posts.purge_posts") == 1
    drain(app)
    assert not (files / avatar).exists()
    with app.app_context():
        assert db.session.get(User, gone.id) is None
        for row in (
            select(Post.id).where(Post.author_id == gone.id),
            select(Follow.id).where(or_(Follow.follower_id == gone.id, Follow.followed_id == gone.id)),
            select(Mute.id).where(or_(Mute.muter_id == gone.id, Mute.muted_id == gone.id)),
            select(Block.id).where(or_(Block.blocker_id == gone.id, Block.blocked_id == gone.id)),
            select(LoginSession.id).where(LoginSession.user_id == gone.id),
            select(Activity.id).where(Activity.actor_id == gone.id),
        ):
            assert db.session.scalars(row).all() == [], str(row)
        assert db.session.scalar(text("SELECT count(*) FROM post_tags")) == 0
        assert db.session.scalar(text("SELECT count(*) FROM post_mentions")) == 0


def test_after_the_jobs_the_others_are_as_they_were(app: Flask, gone: Member, bob: Member, carol: Member) -> None:
    drain(app)
    with app.app_context():
        assert list(recount()) == [], "every counter is right"
    assert "<b>0</b> following" in carol.get("/@bob").text
    assert "<b>0</b> followers" in bob.get("/@carol").text
    assert "a word to @alice" in bob.get("/@bob").text


def test_more_than_one_slice_of_everything_is_purged(
    app: Flask, alice: Member, monkeypatch: pytest.MonkeyPatch, join: Callable[..., Member]
) -> None:
    for module in ("posts", "social", "accounts"):
        monkeypatch.setattr(f"app.{module}.jobs.SLICE", 2)
    for number in range(5):
        alice.write(f"post {number}")
        join(f"fan{number}").follow(alice)
    alice.send("/settings/delete", current_password=PASSWORD)
    assert drain(app) > 10
    with app.app_context():
        assert db.session.get(User, alice.id) is None
        assert db.session.scalar(select(func.count()).select_from(Post)) == 0


def test_after_the_jobs_the_profile_still_says_that_it_is_gone(app: Flask, gone: Member, bob: Member) -> None:
    drain(app)
    assert bob.get("/@alice").status_code == 410


@pytest.mark.parametrize("handle", ["alice", "Alice", "@ALICE"])
@pytest.mark.parametrize("purged", [False, True])
def test_nobody_can_take_her_handle(app: Flask, gone: Member, handle: str, purged: bool) -> None:
    if purged:
        drain(app)
    response = Browser(app).submit("/signup", handle=handle, **NEWCOMER)
    assert response.status_code == 422
    assert "That handle is taken." in response.text
    with app.app_context():
        assert db.session.get(RetiredHandle, "alice") is not None


def test_deleting_twice_at_once_is_the_same_as_once(app: Flask, alice: Member, post_id: int) -> None:
    other_tab = Member(app, alice.id, "alice")
    assert alice.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert other_tab.send("/settings/delete", current_password=PASSWORD).status_code == 401
    assert open_jobs(app).count("posts.purge_posts") == 1


def test_what_she_wrote_can_be_written_by_others_afterwards(app: Flask, gone: Member, bob: Member) -> None:
    drain(app)
    bob.write("a word about #tea by @alice")
    assert "a word about" in bob.get("/tags/tea").text


def test_what_others_made_of_her_posts_stays_or_goes(
    app: Flask, alice: Member, bob: Member, carol: Member, post_id: int
) -> None:
    """An answer stays and knows that it is one, a quote stays without what it quoted, a repost goes."""
    reply = bob.write("I do not think so", reply_to=post_id)
    deeper = carol.write("nor do I", reply_to=reply)
    quote = carol.write("look at this", quote_of=post_id)
    bob.send(f"/posts/{post_id}/repost")
    hers = alice.write("an answer of mine", reply_to=reply)
    alice.send(f"/posts/{reply}/repost")
    alice.send("/settings/delete", current_password=PASSWORD)
    drain(app)
    with app.app_context():
        assert list(recount()) == [], "every counter is right"
        left = {post.id: post for post in db.session.scalars(select(Post).where(Post.id >= post_id))}
        assert sorted(left) == [reply, deeper, quote], "no repost, nothing of hers"
        assert left[reply].reply_to_id == left[reply].conversation_id == post_id
        assert left[deeper].conversation_id == post_id and left[quote].quote_of_id == post_id
        counters = db.session.get_one(PostCounters, reply)
        assert (counters.replies, counters.reposts) == (1, 0)
    assert hers not in carol.feed("/explore")
    for who in (bob, carol):
        page = who.get(f"/@bob/{reply}")
        assert page.status_code == 200 and "Liddell" not in page.text
        assert who.get(f"/@carol/{quote}").status_code == 200
    assert reply in bob.feed()
