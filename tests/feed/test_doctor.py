"""The feed doctor says why, finds what is wrong, and mends it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from app.extensions import db, redis
from app.feed.timelines import generation, modes
from app.feed.timelines import keys as timeline
from tests.outbox import drain
from tests.people import Member


def run(app: Flask, *words: str) -> tuple[int, str]:
    result = app.test_cli_runner().invoke(args=["feed", *words])
    return result.exit_code, result.output


def damage(app: Flask, reader: Member, post: int) -> None:
    """Take an entry out of the middle of a window, as no code of ours does."""
    with app.app_context(), redis.client() as client:
        assert client.zrem(timeline.home_key(generation.current(), reader.id), str(post)) == 1


def test_it_explains_a_post_that_is_there(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    _, words = run(app, "explain", "bob", str(post))
    assert f"Post {post} by @alice is in the feed of @bob." in words
    assert "✓ who: @bob has followed @alice since " in words
    assert "still open" in words
    drain(app)
    bob.get("/")
    _, words = run(app, "explain", "@bob", str(post))
    assert "in the reader's home window in Redis" in words
    assert "@alice is push" in words


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda alice, bob: bob.unfollow(alice), "✗ who: @bob does not follow @alice"),
        (lambda alice, bob: bob.mute(alice), "✗ mute: @bob muted @alice"),
        (lambda alice, bob: bob.block(alice), "✗ block: @bob blocks @alice"),
        (lambda alice, bob: alice.block(bob), "✗ block: @alice blocks @bob"),
    ],
)
def test_it_explains_a_post_that_is_not_there(
    app: Flask, alice: Member, bob: Member, act: Callable[[Member, Member], None], words: str
) -> None:
    post = alice.write("hello")
    act(alice, bob)
    _, said = run(app, "explain", "bob", str(post))
    assert "is not in the feed of @bob" in said
    assert words in said


def test_it_explains_a_deleted_post_and_a_pulled_author(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    with app.app_context():
        modes.promote(alice.id)
        db.session.commit()
    alice.delete(post)
    _, words = run(app, "explain", "bob", str(post))
    assert "✗ deleted: the post was deleted" in words
    assert "@alice is pull: merged from the author's window" in words


def test_it_says_what_it_does_not_know(app: Flask, alice: Member) -> None:
    assert run(app, "explain", "nobody", "1") == (1, "Error: There’s no post 1.\n")
    post = alice.write("hello")
    assert run(app, "explain", "nobody", str(post)) == (1, "Error: There’s nobody called @nobody.\n")


def test_verify_finds_a_difference_and_rebuild_mends_it(app: Flask, alice: Member, bob: Member) -> None:
    posts = [alice.write(f"post {n}") for n in range(3)]
    drain(app)
    bob.get("/")
    code, words = run(app, "verify", "--all")
    assert (code, "2 feeds compared, 0 differences." in words) == (0, True)
    damage(app, bob, posts[1])
    code, words = run(app, "verify", "bob")
    assert code == 1
    assert f"@bob: missing [{posts[1]}], too many []" in words
    assert "this is a fault" in run(app, "explain", "bob", str(posts[1]))[1]
    assert "The timeline of @bob is built." in run(app, "rebuild", "bob")[1]
    assert run(app, "verify", "bob")[0] == 0


def test_reset_makes_everything_cold(app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    drain(app)
    bob.get("/")
    damage(app, bob, post)
    assert bob.feed() == []
    assert run(app, "reset")[0] == 0
    assert bob.feed() == bob.feed() == [post]


def test_stats_say_how_long_it_took(app: Flask, alice: Member, bob: Member) -> None:
    assert "No posts were fanned out" in run(app, "stats")[1]
    alice.write("hello")
    assert "feed.fan_out_post: 1 open" in run(app, "stats")[1]
    drain(app)
    words = run(app, "stats")[1]
    assert "1 posts fanned out in the past hour" in words
    assert "Nothing is open." in words


def test_admins_see_it_in_the_browser(app: Flask, alice: Member, bob: Member, mod: Member) -> None:
    assert "Nobody has posted in the past hour." in mod.get("/admin/feed").text
    post = alice.write("hello")
    assert "Pending: fan out post" in mod.get("/admin/feed").text
    drain(app)
    page = mod.get("/admin/feed").text
    assert "<rect " in page
    explained = mod.get(f"/admin/feed?reader=@bob&post=/@alice/{post}").text
    assert "It’s in that feed." in explained
    assert "@bob has followed @alice since" in explained
    assert mod.get("/admin/feed?reader=nobody&post=1").status_code == 422
    assert mod.get(f"/admin/feed?reader=bob&post={'9' * 40}").status_code == 422
    assert alice.get("/admin/feed").status_code == 403
