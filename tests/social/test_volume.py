"""How much one reads of somebody whom one follows, and that a follower can be removed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from tests.outbox import drain
from tests.people import Member


def set_volume(who: Member, other: Member, volume: str) -> None:
    assert who.send(f"/@{other.handle}/volume", volume=volume).status_code == 303


@pytest.fixture
def kinds(app: Flask, alice: Member, bob: Member, carol: Member, join: Callable[..., Member]) -> dict[str, int]:
    """Of each kind of entry one by Alice in the home of Bob, who follows Carol, too."""
    dora = join("dora")
    bob.follow(carol)
    by_carol = carol.write("by Carol, long ago")
    own = alice.write("by Alice")
    answer = alice.send("/posts", text="what do you mean?", reply_to=by_carol)
    assert answer.status_code == 303
    reply = int(answer.location.rsplit("-", 1)[1])  # it leads to the answer, #post-…
    bob.unfollow(carol)
    far = carol.write("not for Bob")
    bob.follow(carol)
    assert alice.send(f"/posts/{far}/repost").status_code == 303
    bob.send("/settings/feed", repeat_hours=0)
    drain(app)
    [repost] = set(bob.feed()) - {by_carol, own, reply, far}
    far_reply = alice.write("to somebody whom Bob does not follow", reply_to=dora.write("hello"))
    drain(app)
    return {"post": own, "reply": reply, "far reply": far_reply, "repost": repost}


@pytest.mark.parametrize(
    ("volume", "left"),
    [
        ("all_replies", {"post", "reply", "far reply", "repost"}),
        ("all", {"post", "reply", "repost"}),
        ("no_replies", {"post", "repost"}),
        ("no_reposts", {"post", "reply"}),
        ("highlights", {"post"}),
    ],
)
def test_a_volume_holds_at_once_for_old_posts(
    alice: Member, bob: Member, kinds: dict[str, int], volume: str, left: set[str]
) -> None:
    set_volume(bob, alice, volume)
    assert set(bob.feed()) & set(kinds.values()) == {kinds[kind] for kind in left}
    profile = {*bob.feed("/@alice"), *bob.feed("/@alice/replies")}
    assert set(kinds.values()) <= profile, "her profile has everything"
    set_volume(bob, alice, "all_replies")
    assert set(kinds.values()) <= set(bob.feed())


def test_the_best_few_are_three_a_day_that_moved_most_people(alice: Member, bob: Member, carol: Member) -> None:
    posts = [alice.write(f"post {n}") for n in range(6)]
    for post in posts[3:]:
        assert carol.send(f"/posts/{post}/like").status_code == 303
    set_volume(bob, alice, "highlights")
    assert bob.feed() == list(reversed(posts[3:]))


def test_a_volume_is_shown_where_one_follows_and_goes_with_the_follow(alice: Member, bob: Member) -> None:
    assert "How much to see from @alice" in bob.get("/@alice").text
    set_volume(bob, alice, "highlights")
    assert "You’ll see only highlights from @alice, and replies to you." in bob.get("/@alice").text
    for page in ("/@alice", "/@bob/following"):
        assert "Highlights only</span>" in bob.get(page).text
    assert "Highlights only" not in alice.get("/@bob/following").text, "nobody else sees it"
    assert 'value="highlights" aria-describedby="volume-highlights" checked' in bob.get("/@alice/volume").text
    bob.unfollow(alice)
    bob.follow(alice)
    assert "Highlights only" not in bob.get("/@alice").text


def test_the_button_of_the_dialog_answers_with_the_relation(alice: Member, bob: Member) -> None:
    answer = bob.send("/@alice/volume", fragment=True, volume="no_replies", next="/@alice", relation="shown")
    chips = f'id="volume-of-{alice.id}" hx-swap-oob="true"><span class="chip">Replies to others hidden</span>'
    assert chips in answer.text


@pytest.mark.parametrize("volume", ["loud", ""])
def test_what_is_not_on_the_page_cannot_be_chosen(alice: Member, bob: Member, volume: str) -> None:
    assert bob.send("/@alice/volume", volume=volume).status_code == 400


def test_whoever_does_not_follow_has_nothing_to_choose(alice: Member, carol: Member) -> None:
    assert carol.get("/@alice/volume").status_code == 403
    assert carol.send("/@alice/volume", volume="highlights").status_code == 403


# ---- Remove a follower


def test_a_removed_follower_has_nothing_in_the_feed_and_may_follow_again(alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    assert "Remove from your followers" in alice.get("/@bob").text
    assert "Remove from your followers" in alice.get("/@alice/followers").text
    assert "Remove @bob from your followers?" in alice.get("/@bob/follower/delete").text
    assert alice.send("/@bob/follower/delete", next="/@alice/followers").location == "/@alice/followers"
    assert "@bob no longer follows you." in alice.get("/@alice/followers").text
    assert bob.feed() == []
    assert "Remove from your followers" not in alice.get("/@bob").text
    assert alice.get("/@bob/follower/delete").status_code == 404
    bob.follow(alice)
    assert bob.feed() == [post]


def test_htmx_is_sent_back_to_the_page(alice: Member, bob: Member) -> None:
    answer = alice.send("/@bob/follower/delete", fragment=True, next="/@alice/followers")
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/@alice/followers")


def test_nobody_removes_the_followers_of_somebody_else(alice: Member, bob: Member, carol: Member) -> None:
    post = alice.write("hello")
    assert carol.send("/@bob/follower/delete").status_code == 303
    assert bob.feed() == [post]
