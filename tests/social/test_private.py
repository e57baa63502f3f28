"""Private accounts: what they wrote is for approved followers alone, on every page, at once, in both directions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from app.accounts.models import User
from app.extensions import db
from app.feed.timelines import modes
from app.posts.media import files as image_files
from app.posts.media import operations as images
from app.posts.models import PostImage
from app.social import operations
from app.social.models import Follow, FollowRequest
from tests.accounts.images import image_file
from tests.outbox import drain, open_jobs
from tests.people import Member
from tests.sql import statements

Everywhere = Callable[[Member], dict[str, bool]]


@pytest.fixture
def post(app: Flask, alice: Member) -> int:
    """A post of Alice's, with an image."""
    post_id = alice.write("between us #tea")
    upload = alice.send("/images", fragment=True, image=(image_file(), "photo.png"))
    image_id = int(upload.text.split('name="images" value="')[1].split('"')[0])
    with app.app_context():
        images.attach([images.Choice(image_id, "A cup")], to=post_id)
        db.session.commit()
    return post_id


@pytest.fixture
def everywhere(app: Flask, alice: Member, post: int) -> Everywhere:
    """Give a function that says on which pages somebody finds the post."""
    with app.app_context():
        file = db.session.scalars(select(PostImage.file).where(PostImage.post_id == post)).one()
        image = f"/media/posts/{image_files.name(file, 'l')}"

    def everywhere(who: Member) -> dict[str, bool]:
        lists = ["/@alice", "/tags/tea", "/explore", *(["/", "/bookmarks"] if who.id else [])]
        pages = [f"/@alice/{post}", f"/@alice/{post}/likes", image]
        found = {path: post in who.feed(path) for path in lists}
        return found | {path: who.get(path).status_code == 200 for path in pages}

    return everywhere


def bookmark(who: Member, post: int) -> None:
    for what in ("bookmark", "like"):
        assert who.send(f"/posts/{post}/{what}").status_code == 303


@pytest.mark.parametrize("pulled", [False, True], ids=["pushed", "pulled"])
def test_closing_and_opening_hold_at_once_for_old_posts_on_every_page(
    app: Flask,
    alice: Member,
    bob: Member,
    carol: Member,
    stranger: Member,
    post: int,
    everywhere: Everywhere,
    pulled: bool,
) -> None:
    if pulled:
        with app.app_context():
            modes.promote(alice.id)
            db.session.commit()
    for who in (bob, carol):
        bookmark(who, post)
    drain(app)
    bob.get("/"), bob.get("/")  # warm
    in_home = {"/": False}  # Carol follows nobody
    for _ in range(2):
        assert set(everywhere(bob).values()) == {True}
        assert everywhere(carol) == dict.fromkeys(everywhere(carol), True) | in_home
        assert set(everywhere(stranger).values()) == {True}
        alice.close()
        assert set(everywhere(bob).values()) == {True}, "whoever follows already stays"
        assert set(everywhere(carol).values()) == {False}
        assert set(everywhere(stranger).values()) == {False}
        assert set(everywhere(alice).values()) - {False} == {True}
        alice.open()
        drain(app)


@pytest.mark.parametrize("pulled", [False, True], ids=["pushed", "pulled"])
def test_whoever_is_accepted_finds_the_old_posts_on_the_next_page(
    app: Flask, alice: Member, carol: Member, post: int, everywhere: Everywhere, pulled: bool
) -> None:
    if pulled:
        with app.app_context():
            modes.promote(alice.id)
            db.session.commit()
    alice.close()
    drain(app)
    assert carol.feed() == []
    carol.follow(alice)
    assert set(everywhere(carol).values()) == {False}, "to ask is not enough"
    assert open_jobs(app) == []
    alice.accept(carol)
    assert open_jobs(app) == [], "the backfill ran within the request"
    assert {path for path, is_found in everywhere(carol).items() if not is_found} == {"/bookmarks"}


def test_whoever_unfollows_or_is_removed_sees_nothing_any_more(
    alice: Member, bob: Member, carol: Member, everywhere: Everywhere
) -> None:
    alice.close()
    carol.follow(alice)
    alice.accept(carol)
    bob.unfollow(alice)
    assert alice.send("/@carol/follower/delete").status_code == 303
    for who in (bob, carol):
        assert set(everywhere(who).values()) == {False}


def test_opening_the_account_lets_everybody_follow_who_has_asked(
    app: Flask, alice: Member, join: Callable[..., Member], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.social.jobs.SLICE_OF_REQUESTS", 2)
    post = alice.write("for later")
    alice.close()
    drain(app)
    fans = [join(f"fan{n}") for n in range(5)]
    for fan in fans:
        fan.follow(alice)
        assert fan.feed() == []
    alice.open()
    assert open_jobs(app) == ["social.accept_requests"]
    drain(app)
    for fan in fans:
        assert fan.feed() == [post]
        assert "Following @alice" in fan.get("/@alice").text
    assert "<b>5</b> followers" in alice.get("/@alice").text


def test_an_account_that_closes_again_before_anybody_was_let_in_lets_nobody_in(
    app: Flask, alice: Member, carol: Member
) -> None:
    alice.close()
    carol.follow(alice)
    alice.open()
    alice.close()
    drain(app)
    with app.app_context():
        assert db.session.scalars(select(Follow)).all() == []
        assert len(db.session.scalars(select(FollowRequest)).all()) == 1


def test_a_door_that_is_closing_lets_nobody_slip_in(app: Flask, alice: Member, carol: Member) -> None:
    """Whoever follows while the change is not committed yet waits for it, and has asked."""
    with app.app_context():
        alice_herself = db.session.get_one(User, alice.id)
        operations.set_private(alice_herself, True)
        with app.app_context():
            db.session.connection().exec_driver_sql("SET lock_timeout = '300ms'")
            with pytest.raises(Exception, match="lock timeout"):
                operations.follow(db.session.get_one(User, alice.id), by=db.session.get_one(User, carol.id))
            db.session.rollback()
            db.session.connection().exec_driver_sql("RESET lock_timeout")
        db.session.commit()
    carol.follow(alice)
    with app.app_context():
        assert db.session.scalars(select(Follow)).all() == []


def test_the_profile_says_that_it_is_closed_and_how_to_ask(
    alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    alice.write("between us")
    alice.close()
    for who in (carol, stranger):
        page = who.get("/@alice").text
        assert "This account is private" in page and "Private account" in page
        assert "<b>1</b> post" in page and "<b>1</b> follower" in page
        assert "between us" not in page and "/@alice/followers" not in page
    assert "Ask to follow @alice" in carol.get("/@alice").text
    for who in (alice, bob):
        page = who.get("/@alice").text
        assert "This account is private" not in page and "Private account" in page and "between us" in page


def test_lists_of_people_of_a_private_account_are_for_its_followers(
    alice: Member, bob: Member, carol: Member, stranger: Member
) -> None:
    """Whom somebody knows says as much as what they write."""
    alice.close()
    for people in ("followers", "following"):
        assert bob.get(f"/@alice/{people}").status_code == alice.get(f"/@alice/{people}").status_code == 200
        for who in (carol, stranger):
            assert who.get(f"/@alice/{people}").location == "/@alice"


def test_a_private_account_is_told_what_saving_means(alice: Member) -> None:
    alice.close()
    assert "Your account is now private." in alice.get("/settings/privacy").text
    assert 'value="yes" aria-describedby="is-private-hint" checked' in alice.get("/settings/privacy").text
    alice.open()
    assert "Your account is now public." in alice.get("/settings/privacy").text


def test_F9_the_number_of_requests_costs_private_accounts_one_statement_and_others_none(
    alice: Member, bob: Member, carol: Member
) -> None:
    def needed() -> int:
        alice.get("/"), alice.get("/")
        with statements() as sent:
            alice.get("/")
        return len(sent)

    before = needed()
    alice.close()
    carol.follow(alice)
    assert needed() == before + 1
