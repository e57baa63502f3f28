"""Requests to follow: asked, taken back, accepted, declined; once, whoever clicks at the same moment."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.accounts.models import UserCounters
from app.activity.models import Activity
from app.extensions import db
from app.social.models import Block, Follow, FollowRequest
from tests.outbox import drain
from tests.people import PASSWORD, Member
from tests.threads import at_once


@pytest.fixture(autouse=True)
def _private(alice: Member) -> None:
    alice.close()


def count(app: Flask, table: type[Follow] | type[FollowRequest] | type[Block]) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(table)) or 0


def happened(app: Flask, verb: str) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).where(Activity.verb == verb)) or 0


def followers(app: Flask, who: Member) -> int:
    with app.app_context():
        return db.session.get_one(UserCounters, who.id).followers


def toast(who: Member, path: str, about: Member) -> str:
    """Press the button of a profile and return what is said."""
    response = who.send(path, fragment=True, relation="shown")
    assert response.status_code == 200 and f'id="relation-{about.id}"' in response.text
    return str(json.loads(response.headers["HX-Trigger"])["toast"]["sentence"])


def test_the_button_asks_says_so_and_takes_back(app: Flask, alice: Member, carol: Member) -> None:
    assert toast(carol, "/@alice/follow", alice) == "You’ve asked to follow @alice."
    assert ">Requested</button>" in carol.get("/@alice").text
    assert "You’ve asked to follow; now it’s up to them." in carol.get("/@alice").text
    assert toast(carol, "/@alice/follow/delete", alice) == "Request to follow @alice cancelled."
    assert ">Ask to follow</button>" in carol.get("/@alice").text
    assert count(app, FollowRequest) == count(app, Follow) == 0


def test_whoever_asks_waits_and_is_counted_until_there_is_an_answer(alice: Member, carol: Member) -> None:
    assert "No requests right now" in alice.get("/requests").text
    assert 'id="requests"></span>' in alice.get("/explore").text
    carol.follow(alice)
    assert 'id="requests">1</span>' in alice.get("/explore").text
    page = alice.get("/requests").text
    assert "/@carol/request/accept" in page and "/@carol/request/decline" in page
    assert "Carol wants to follow you." in alice.get("/@carol").text
    alice.accept(carol)
    assert "@carol now follows you." in alice.get("/requests").text
    assert 'id="requests"></span>' in alice.get("/explore").text
    assert "Following @alice" in carol.get("/@alice").text


def test_whom_one_declines_is_not_told_and_may_ask_again(app: Flask, alice: Member, carol: Member) -> None:
    carol.follow(alice)
    alice.decline(carol)
    assert count(app, FollowRequest) == count(app, Follow) == 0
    assert ">Ask to follow</button>" in carol.get("/@alice").text
    carol.follow(alice)
    assert count(app, FollowRequest) == 1


def test_htmx_gets_what_became_of_a_request_and_the_number_of_those_left(
    alice: Member, carol: Member, join: Callable[..., Member]
) -> None:
    dora, eve = join("dora"), join("eve")
    for who in (carol, dora, eve):
        who.follow(alice)
    accepted = alice.send("/@carol/request/accept", fragment=True)
    assert "@carol now follows you." in accepted.headers["HX-Trigger"]
    assert 'class="person"' in accepted.text and "Follow @carol" in accepted.text
    assert 'id="requests" hx-swap-oob="true">2</span>' in accepted.text
    declined = alice.send("/@dora/request/decline", fragment=True)
    assert 'class="person"' not in declined.text
    assert 'id="requests" hx-swap-oob="true">1</span>' in declined.text
    eve.unfollow(alice)
    late = alice.send("/@eve/request/accept", fragment=True)
    assert "@eve cancelled their request." in late.headers["HX-Trigger"]
    assert 'id="requests" hx-swap-oob="true"></span>' in late.text


def test_requests_come_in_pages(alice: Member, join: Callable[..., Member]) -> None:
    for n in range(23):
        join(f"fan{n}").follow(alice)
    first = alice.get("/requests").text
    assert first.count('class="person request"') == 20 and 'rel="next"' in first
    path = first.split('<a rel="next"')[1].split('href="')[1].split('"')[0]
    assert alice.get(path).text.count('class="person request"') == 3
    assert alice.get(path, fragment=True).text.count('class="person request"') == 3


def test_nobody_is_let_in_who_has_not_asked(app: Flask, alice: Member, carol: Member) -> None:
    alice.accept(carol)
    assert count(app, Follow) == 0


def test_nobody_lets_themselves_in(app: Flask, alice: Member, carol: Member) -> None:
    carol.follow(alice)
    carol.accept(alice)
    carol.accept(carol)
    assert count(app, Follow) == 0


def test_a_follower_who_asks_again_stays_one(app: Flask, alice: Member, bob: Member) -> None:
    alice.open()
    bob.follow(alice)
    alice.close()
    assert toast(bob, "/@alice/follow", alice) == "You’re now following @alice."
    assert (count(app, Follow), count(app, FollowRequest)) == (1, 0)


def test_requests_of_a_deleted_account_are_neither_counted_nor_shown(alice: Member, carol: Member) -> None:
    carol.follow(alice)
    assert carol.send("/settings/delete", current_password=PASSWORD).status_code == 303
    assert "No requests right now" in alice.get("/requests").text
    assert 'id="requests"></span>' in alice.get("/explore").text


def test_a_block_ends_a_request(app: Flask, alice: Member, carol: Member) -> None:
    carol.follow(alice)
    alice.block(carol)
    assert count(app, FollowRequest) == 0
    alice.unblock(carol)
    alice.accept(carol)
    assert count(app, Follow) == 0


# ---- At the same moment


def test_two_accepts_at_once_let_in_once(app: Flask, alice: Member, carol: Member) -> None:
    carol.follow(alice)
    answers = at_once(*[lambda: alice.send("/@carol/request/accept").status_code] * 6)
    assert set(answers) == {303}
    assert (count(app, Follow), count(app, FollowRequest), followers(app, alice)) == (1, 0, 1)
    assert happened(app, "person.followed") == 1


def test_two_requests_at_once_ask_once(app: Flask, alice: Member, carol: Member) -> None:
    at_once(*[lambda: carol.send("/@alice/follow").status_code] * 6)
    assert (count(app, Follow), count(app, FollowRequest)) == (0, 1)
    assert happened(app, "follow.requested") == 1


def test_whoever_takes_a_request_back_follows_nobody_though_it_is_accepted_at_that_moment(
    app: Flask, alice: Member, join: Callable[..., Member]
) -> None:
    for n in range(12):
        fan = join(f"fan{n}")
        fan.follow(alice)
        at_once(partial(alice.send, f"/@fan{n}/request/accept"), partial(fan.send, "/@alice/follow/delete"))
    assert (count(app, Follow), count(app, FollowRequest), followers(app, alice)) == (0, 0, 0)


def test_accept_and_decline_at_once_leave_no_request(app: Flask, alice: Member, join: Callable[..., Member]) -> None:
    for n in range(8):
        join(f"fan{n}").follow(alice)
        at_once(*[partial(alice.send, f"/@fan{n}/request/{what}") for what in ("accept", "decline")])
    assert count(app, FollowRequest) == 0
    assert count(app, Follow) == followers(app, alice)


def test_an_accept_does_not_slip_past_a_block(app: Flask, alice: Member, join: Callable[..., Member]) -> None:
    for n in range(12):
        fan = join(f"fan{n}")
        fan.follow(alice)
        by, whom = (alice, fan) if n % 2 else (fan, alice)
        at_once(partial(by.send, f"/@{whom.handle}/block"), partial(alice.send, f"/@fan{n}/request/accept"))
    assert (count(app, Block), count(app, Follow), count(app, FollowRequest)) == (12, 0, 0)
    assert followers(app, alice) == 0


def test_closing_the_account_while_people_follow_leaves_each_a_follower_or_waiting(
    app: Flask, alice: Member, join: Callable[..., Member]
) -> None:
    alice.open()
    fans = [join(f"fan{n}") for n in range(8)]
    follow = [partial(fan.send, "/@alice/follow") for fan in fans]
    at_once(*follow[:4], partial(alice.send, "/settings/privacy", is_private="yes"), *follow[4:])
    assert count(app, Follow) + count(app, FollowRequest) == 8
    assert followers(app, alice) == count(app, Follow)
    late = join("late")
    late.follow(alice)
    assert "Requested" in late.get("/@alice").text


def test_opening_while_people_ask_and_others_follow_each_other_deadlocks_nobody(
    app: Flask, alice: Member, join: Callable[..., Member]
) -> None:
    fans = [join(f"fan{n}") for n in range(6)]
    for fan in fans[:3]:
        fan.follow(alice)
    alice.open()

    def follow_all(who: Member) -> set[int]:
        return {who.send(f"/@{other.handle}/follow").status_code for other in [alice, *fans] if other is not who}

    answers = at_once(partial(drain, app), *[partial(follow_all, who) for who in fans])
    assert answers[1:] == [{303}] * 6
    drain(app)
    assert count(app, FollowRequest) == 0
    assert count(app, Follow) == 6 * 6
    assert followers(app, alice) == 6
