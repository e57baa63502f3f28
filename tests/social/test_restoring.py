"""What an undo brings back is what was there before: a mute, the follow of a private account, its volume and place."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.core import clock
from app.extensions import db
from app.social.models import Follow, Mute
from tests.people import Member


def undo_in(answer: Any) -> dict[str, Any]:
    """Return what the message in an answer offers."""
    undo: dict[str, Any] = json.loads(answer.headers["HX-Trigger"])["toast"]["undo"]
    return undo


def press(who: Member, undo: dict[str, Any]) -> Any:
    return who.send(undo["path"], fragment=True, **undo["fields"])


def sentence_in(answer: Any) -> str:
    toast = json.loads(answer.headers["HX-Trigger"])["toast"]
    return str(toast if isinstance(toast, str) else toast["sentence"])


def mute_between(app: Flask, who: Member, other: Member) -> Mute | None:
    with app.app_context():
        return db.session.scalar(select(Mute).where(Mute.muter_id == who.id, Mute.muted_id == other.id))


def follow_between(app: Flask, who: Member, other: Member) -> Follow | None:
    with app.app_context():
        return db.session.scalar(select(Follow).where(Follow.follower_id == who.id, Follow.followed_id == other.id))


def test_undoing_a_mute_brings_back_the_mute_of_reposts_before_it(app: Flask, alice: Member, bob: Member) -> None:
    bob.send("/@alice/mute", scope="reposts", duration="week")
    before = mute_between(app, bob, alice)
    undo = undo_in(bob.send("/@alice/mute", fragment=True))
    answer = press(bob, undo)
    assert sentence_in(answer) == "You’ll see @alice again, but not their reposts, as before."
    now = mute_between(app, bob, alice)
    assert before and now and now.scope == "reposts" and before.until and now.until
    assert abs(now.until - before.until) < timedelta(seconds=1)


def test_undoing_the_first_mute_leaves_none(app: Flask, alice: Member, bob: Member) -> None:
    press(bob, undo_in(bob.send("/@alice/mute", fragment=True)))
    assert mute_between(app, bob, alice) is None


def test_unmuting_is_undone(app: Flask, alice: Member, bob: Member) -> None:
    bob.mute(alice)
    answer = press(bob, undo_in(bob.send("/@alice/mute/delete", fragment=True)))
    assert sentence_in(answer) == "You’ve muted @alice again."
    mute = mute_between(app, bob, alice)
    assert mute and (mute.scope, mute.until) == ("all", None)


def test_a_volume_is_undone(app: Flask, alice: Member, bob: Member) -> None:
    bob.send("/@alice/volume", volume="highlights")
    press(bob, undo_in(bob.send("/@alice/volume", fragment=True, volume="no_replies")))
    follow = follow_between(app, bob, alice)
    assert follow and follow.volume == "highlights"
    answer = bob.send("/@alice/volume", fragment=True, volume="highlights")
    assert json.loads(answer.headers["HX-Trigger"])["toast"]["undo"] is None, "nothing was changed"


@pytest.mark.parametrize("private", [True, False])
def test_undoing_an_unfollow_brings_back_the_follow_at_its_volume_and_place(
    app: Flask, alice: Member, bob: Member, private: bool
) -> None:
    bob.send("/@alice/volume", volume="no_reposts")
    if private:
        alice.close()
    before = follow_between(app, bob, alice)
    undo = undo_in(bob.send("/@alice/follow/delete", fragment=True))
    assert follow_between(app, bob, alice) is None
    press(bob, undo)
    now = follow_between(app, bob, alice)
    assert before and now and (now.id, now.volume) == (before.id, "no_reposts")


def test_an_unfollow_of_a_private_account_is_undone_once_and_soon(
    app: Flask, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.close()
    undo = undo_in(bob.send("/@alice/follow/delete", fragment=True))
    press(bob, undo)
    assert alice.send("/@bob/follower/delete").status_code == 303
    answer = press(bob, undo)
    assert sentence_in(answer) == "You’ve asked to follow @alice.", "she has removed him since"
    assert follow_between(app, bob, alice) is None
    alice.accept(bob)
    undo = undo_in(bob.send("/@alice/follow/delete", fragment=True))
    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + timedelta(seconds=16))
    assert sentence_in(press(bob, undo)) == "You’ve asked to follow @alice.", "too late"


def test_an_unfollow_is_not_undone_where_there_is_a_block_since(app: Flask, alice: Member, bob: Member) -> None:
    alice.close()
    undo = undo_in(bob.send("/@alice/follow/delete", fragment=True))
    alice.block(bob)
    assert press(bob, undo).status_code == 404
    alice.unblock(bob)
    assert sentence_in(press(bob, undo)) == "You’ve asked to follow @alice."
    assert follow_between(app, bob, alice) is None


def test_nobody_undoes_with_what_another_was_given(app: Flask, alice: Member, bob: Member, carol: Member) -> None:
    alice.close()
    was = undo_in(bob.send("/@alice/follow/delete", fragment=True))["fields"]["was"]
    for who, path, token in [
        (carol, "/@alice/follow", was),
        (bob, "/@carol/follow", was),
        (bob, "/@alice/mute", was),
        (bob, "/@alice/follow", "nonsense"),
    ]:
        assert who.send(path, fragment=True, was=token).status_code == 400
    assert follow_between(app, carol, alice) is None


def test_a_cancelled_request_is_asked_again(app: Flask, alice: Member, carol: Member, bob: Member) -> None:
    alice.close()
    carol.follow(alice)
    undo = undo_in(carol.send("/@alice/follow/delete", fragment=True))
    assert sentence_in(press(carol, undo)) == "You’ve asked to follow @alice."
    assert "@carol" in alice.get("/requests").text


@pytest.mark.parametrize("path", ["/tags/river/follow", "/tags/river/follow/delete"])
def test_following_a_tag_and_its_end_are_undone(bob: Member, path: str) -> None:
    bob.send("/tags/river/follow")
    before = "Following #river" in bob.get("/tags/river").text
    if not path.endswith("delete"):
        bob.send("/tags/river/follow/delete")
        before = False
    press(bob, undo_in(bob.send(path, fragment=True)))
    assert ("Following #river: unfollow" in bob.get("/tags/river").text.partition("data-then")[0]) is before
