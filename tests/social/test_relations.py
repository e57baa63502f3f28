"""Follow, mute and block: idempotent, safe against two clicks at once, and thorough."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError

from app.accounts.models import UserCounters
from app.activity.models import Activity
from app.extensions import db
from app.social.models import Block, Follow
from tests.people import FRAGMENT, Member
from tests.threads import at_once


def counters(app: Flask, member: Member) -> tuple[int, int, int]:
    """Return followers, following, posts."""
    with app.app_context():
        row = db.session.get_one(UserCounters, member.id)
        return row.followers, row.following, row.posts


def count(app: Flask, table: type[Follow] | type[Block]) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(table)) or 0


def test_following_twice_is_the_same_as_once(app: Flask, alice: Member, bob: Member) -> None:
    bob.follow(alice)
    bob.follow(alice)
    assert counters(app, alice) == (1, 0, 0)
    assert counters(app, bob) == (0, 1, 0)


def test_two_clicks_at_once_follow_once(app: Flask, alice: Member, carol: Member) -> None:
    answers = at_once(*[lambda: carol.send("/@alice/follow").status_code] * 6)
    assert set(answers) == {303}
    assert count(app, Follow) == 1
    assert counters(app, alice) == (1, 0, 0)
    with app.app_context():
        happened = select(func.count()).where(Activity.verb == "person.followed")
        assert db.session.scalar(happened) == 1, "it happened once"


def test_two_clicks_at_once_unfollow_once(app: Flask, alice: Member, bob: Member) -> None:
    at_once(*[lambda: bob.send("/@alice/follow/delete").status_code] * 6)
    assert counters(app, alice) == (0, 0, 0)
    assert counters(app, bob) == (0, 0, 0)


def test_people_who_follow_each_other_at_once_do_not_deadlock(app: Flask, join: Callable[..., Member]) -> None:
    people = [join(f"person{n}") for n in range(5)]

    def follow_all(who: Member) -> set[int]:
        return {who.send(f"/@{other.handle}/follow").status_code for other in people if other is not who}

    assert at_once(*[partial(follow_all, who) for who in people]) == [{303}] * 5
    assert {counters(app, person) for person in people} == {(4, 4, 0)}


def test_a_follow_does_not_slip_past_a_block(app: Flask, join: Callable[..., Member]) -> None:
    for n in range(12):
        one, other = join(f"one{n}"), join(f"other{n}")
        at_once(partial(one.send, f"/@{other.handle}/block"), partial(other.send, f"/@{one.handle}/follow"))
    assert count(app, Block) == 12
    assert count(app, Follow) == 0


def test_a_block_ends_the_follows_both_ways(app: Flask, alice: Member, bob: Member) -> None:
    alice.follow(bob)
    bob.block(alice)
    assert count(app, Follow) == 0
    assert counters(app, alice) == counters(app, bob) == (0, 0, 0)
    bob.unblock(alice)
    assert count(app, Follow) == 0, "follows do not come back by themselves"


def test_blocked_people_are_not_there_for_each_other(alice: Member, mallory: Member) -> None:
    post = alice.write("not for mallory #secret")
    own = mallory.write("not for alice #secret")
    for path in ("/@alice", f"/@alice/{post}", "/@alice/followers", "/@alice/following", f"/posts/{post}/menu"):
        assert mallory.get(path).status_code == 404, path
    for path in ("/explore", "/tags/secret"):
        assert mallory.feed(path) == [own]
        assert alice.feed(path) == [post]
    assert "@alice" not in mallory.get("/explore/people").text
    assert mallory.send("/@alice/follow").status_code == 404


def test_who_is_blocked_can_mute_and_block_back(app: Flask, alice: Member, mallory: Member) -> None:
    """From a page that was open, and by a handle: there is no profile with a button any more."""
    muted = mallory.send("/@alice/mute", next="/@alice")
    assert (muted.status_code, muted.location) == (303, "/settings/mutes")
    assert "You’ve muted @alice." in mallory.get("/settings/mutes").text
    assert mallory.send("/@alice/mute/delete").location == "/settings/mutes"
    assert mallory.send("/@alice/mute/delete").status_code == 404, "nothing is muted"
    assert mallory.send("/settings/mutes", handle=" @Alice ").location == "/settings/mutes"
    by_script = mallory.send("/@alice/mute", fragment=True, relation="shown")
    assert (by_script.status_code, by_script.text) == (200, ""), "nothing is told of her"

    assert mallory.send("/settings/blocks", handle="alice").location == "/settings/blocks"
    page = mallory.get("/settings/blocks").text
    assert "You’ve blocked @alice." in page and 'action="/@alice/block/delete"' in page
    assert count(app, Block) == 2
    alice.unblock(mallory)
    assert "You’ve blocked @alice" in mallory.get("/@alice").text, "hers holds"
    assert alice.get("/@mallory").status_code == 404
    mallory.unblock(alice)
    assert 'action="/@alice/mute/delete"' in mallory.get("/settings/mutes").text, "listed as soon as one may meet her"
    assert mallory.get("/@alice").status_code == alice.get("/@mallory").status_code == 200


def test_a_block_from_a_page_that_was_open_leads_to_the_page_with_the_way_back(alice: Member, mallory: Member) -> None:
    assert mallory.send("/@alice/block", next="/@alice").location == "/@alice"
    assert "You’ve blocked @alice" in mallory.get("/@alice").text


@pytest.mark.parametrize("page", ["mutes", "blocks"])
@pytest.mark.parametrize(
    ("handle", "sentence"),
    [("nobody_here", "There’s nobody here by that handle."), ("alice", "That’s you."), ("  ", "Enter a handle.")],
)
def test_whom_one_cannot_hide_by_a_handle(alice: Member, bob: Member, page: str, handle: str, sentence: str) -> None:
    answer = alice.send(f"/settings/{page}", handle=handle)
    assert answer.status_code == 422 and sentence in answer.text
    assert f'value="{handle.strip()}"' in answer.text, "what was typed is still there"


def test_whoever_blocks_sees_a_page_with_the_way_back(alice: Member, mallory: Member) -> None:
    page = alice.get("/@mallory")
    assert page.status_code == 200
    assert "You’ve blocked @mallory" in page.text
    assert 'action="/@mallory/block/delete"' in page.text
    assert alice.get("/settings/blocks").text.count("/@mallory/block/delete") == 1
    alice.unblock(mallory)
    assert mallory.get("/@alice").status_code == 200


@pytest.mark.parametrize("people", ["followers", "following"])
def test_whoever_blocks_is_led_from_the_lists_to_that_page(alice: Member, mallory: Member, people: str) -> None:
    alice.block(mallory)
    answer = alice.get(f"/@mallory/{people}")
    assert (answer.status_code, answer.location) == (303, "/@mallory")


def test_a_blocked_person_cannot_be_followed_by_the_blocker(alice: Member, mallory: Member) -> None:
    response = alice.send("/@mallory/follow")
    assert response.status_code == 403
    assert "while one of you is blocking the other" in response.text


def test_a_mute_hides_lists_but_not_the_person_one_asks_for(alice: Member, bob: Member) -> None:
    post = alice.write("I am still here #tea")
    bob.mute(alice)
    assert bob.feed() == bob.feed("/explore") == bob.feed("/tags/tea") == []
    assert bob.feed("/@alice") == [post]
    assert bob.get(f"/@alice/{post}").status_code == 200
    assert "/@alice/mute/delete" in bob.get("/settings/mutes").text


def test_a_mute_is_not_seen_by_the_muted(alice: Member, bob: Member) -> None:
    alice.mute(bob)
    post = alice.write("bob still reads this")
    assert bob.feed() == [post]
    assert bob.get("/@alice").status_code == 200


@pytest.mark.parametrize("what", ["follow", "mute", "block"])
def test_nobody_does_it_to_themselves(alice: Member, what: str) -> None:
    response = alice.send(f"/@alice/{what}")
    assert response.status_code == 403
    assert "yourself" in response.text


def test_the_database_is_the_last_reviewer(app: Flask, alice: Member) -> None:
    with app.app_context():
        db.session.add(Follow(follower_id=alice.id, followed_id=alice.id))
        with pytest.raises(IntegrityError):
            db.session.commit()


def test_undoing_what_was_not_done_is_fine(app: Flask, alice: Member, carol: Member) -> None:
    carol.unfollow(alice)
    carol.unmute(alice)
    carol.unblock(alice)
    assert counters(app, alice) == (0, 0, 0)


def test_the_button_answers_with_its_new_state_and_count(alice: Member, carol: Member) -> None:
    assert carol.get("/@alice").text.count('name="relation" value="shown"') == 2, "follow and mute"
    response = carol.send("/@alice/follow", fragment=True, relation="shown")
    assert "Following" in response.text
    assert "<b>1</b> follower" in response.text
    assert json.loads(response.headers["HX-Trigger"])["toast"]["sentence"] == "You’re now following @alice."


def test_a_menu_that_shows_no_relation_gets_only_the_sentence(alice: Member, carol: Member) -> None:
    headers = FRAGMENT | {"HX-Target": f"relation-{alice.id}"}  # what element htmx names decides nothing
    response = carol.client.post("/@alice/follow", data={"csrf_token": carol.csrf_token}, headers=headers)
    assert response.text == ""
    assert json.loads(response.headers["HX-Trigger"])["toast"]["sentence"] == "You’re now following @alice."


def test_a_form_returns_to_the_page_it_came_from_but_never_elsewhere(alice: Member, carol: Member) -> None:
    assert carol.send("/@alice/follow", next="/explore/people").location == "/explore/people"
    assert carol.send("/@alice/follow", next="https://example.com/").location == "/@alice"


def test_lists_of_people_page_to_their_end(app: Flask, join: Callable[..., Member], alice: Member) -> None:
    fans = [join(f"fan{n}") for n in range(23)]
    for fan in fans:
        fan.follow(alice)
    first = alice.get("/@alice/followers").text
    assert first.count('class="person"') == 20
    assert 'rel="next"' in first
    assert "23" in alice.get("/@alice").text


def test_recount_finds_and_repairs_drift(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("one")
    runner = app.test_cli_runner()
    assert "All counters are right." in runner.invoke(args=["recount"]).output
    with app.app_context():
        db.session.execute(update(UserCounters).where(UserCounters.user_id == alice.id).values(followers=9, posts=0))
        db.session.commit()
    output = runner.invoke(args=["recount"]).output
    assert "followers was 9, is 1" in output
    assert "posts was 0, is 1" in output
    assert "2 counters repaired." in output
    assert counters(app, alice) == (1, 0, 1)
