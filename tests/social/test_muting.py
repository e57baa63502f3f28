"""Mute with an end and with a scope; what holds, until when, and where it is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.core import clock
from app.extensions import db
from app.social import operations
from app.social.models import Mute
from tests.people import Member, entries

MoveClock = Callable[[timedelta], None]


@pytest.fixture
def move_clock(monkeypatch: pytest.MonkeyPatch) -> MoveClock:
    """Give a function that makes it later."""
    later = timedelta()

    def move(by: timedelta) -> None:
        nonlocal later
        later += by

    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + later)
    return move


def mute(who: Member, other: Member, **fields: Any) -> None:
    assert who.send(f"/@{other.handle}/mute", **fields).status_code == 303


@pytest.fixture
def repost(alice: Member, bob: Member, carol: Member) -> int:
    """An entry in Bob's home: Alice reposts a post by Carol, whom he does not follow."""
    post = carol.write("by Carol")
    assert alice.send(f"/posts/{post}/repost").status_code == 303
    [entry] = bob.feed()
    assert entry != post
    return entry


@pytest.mark.parametrize(
    ("duration", "length"),
    [("hour", timedelta(hours=1)), ("day", timedelta(days=1)), ("week", timedelta(weeks=1))],
)
def test_a_mute_ends_by_itself(
    app: Flask, alice: Member, bob: Member, move_clock: MoveClock, duration: str, length: timedelta
) -> None:
    post = alice.write("later")
    mute(bob, alice, duration=duration, scope="all")
    assert bob.feed() == bob.feed("/explore") == []
    assert "until" in bob.get("/settings/mutes").text
    move_clock(length - timedelta(minutes=1))
    assert bob.feed() == []
    assert "Unmute @alice" in bob.get("/@alice").text
    move_clock(timedelta(minutes=2))
    assert bob.feed() == bob.feed("/explore") == [post]
    assert "Unmute @alice" not in bob.get("/@alice").text
    assert "You haven’t muted anyone." in bob.get("/settings/mutes").text
    with app.app_context():
        operations.forget_ended_mutes()
        db.session.commit()
        assert db.session.scalars(select(Mute)).all() == []


def test_muting_without_a_choice_is_for_ever_and_everything(alice: Member, bob: Member, move_clock: MoveClock) -> None:
    alice.write("never")
    bob.mute(alice)
    assert "Muted forever" in bob.get("/settings/mutes").text
    move_clock(timedelta(days=3650))
    with bob.app.app_context():
        operations.forget_ended_mutes()
        db.session.commit()
        assert len(db.session.scalars(select(Mute)).all()) == 1


def test_only_reposts_are_muted(alice: Member, bob: Member, repost: int) -> None:
    own = alice.write("by Alice")
    assert bob.feed() == [own, repost]
    mute(bob, alice, duration="ever", scope="reposts")
    assert bob.feed() == [own]
    assert "Reposts muted forever" in bob.get("/settings/mutes").text
    assert "Show reposts by @alice again" in bob.get("/settings/mutes").text
    assert repost in bob.feed("/@alice"), "whoever goes to her profile asked for her"
    bob.unmute(alice)
    assert bob.feed() == [own, repost]


def test_muting_again_changes_what_and_for_how_long(app: Flask, alice: Member, bob: Member, repost: int) -> None:
    own = alice.write("by Alice")
    mute(bob, alice, duration="hour", scope="reposts")
    assert bob.feed() == [own]
    mute(bob, alice)
    assert bob.feed() == []
    mute(bob, alice, duration="day", scope="reposts")
    assert bob.feed() == [own]
    with app.app_context():
        assert len(db.session.scalars(select(Mute)).all()) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Muted</span>"),
        ({"duration": "day"}, "Muted until <time"),
        ({"scope": "reposts", "duration": "week"}, "Reposts muted until <time"),
    ],
)
def test_the_profile_says_what_is_muted_and_until_when(
    alice: Member, bob: Member, carol: Member, fields: dict[str, Any], said: str
) -> None:
    mute(bob, alice, **fields)
    assert f'<span class="chip">{said}' in bob.get("/@alice").text
    assert "uted" not in carol.get("/@alice").text
    bob.unmute(alice)
    assert said not in bob.get("/@alice").text


def test_unmuting_says_what_comes_back(alice: Member, bob: Member) -> None:
    for scope, sentence in (("all", "You’ve unmuted @alice."), ("reposts", "You’ll see reposts by @alice again.")):
        mute(bob, alice, scope=scope)
        answer = bob.send("/@alice/mute/delete", fragment=True)
        assert json.loads(answer.headers["HX-Trigger"])["toast"]["sentence"] == sentence


def test_the_menu_of_a_repost_offers_not_to_see_more_by_the_reposter(
    alice: Member, bob: Member, carol: Member, repost: int
) -> None:
    card = bob.get("/").text
    path = card.split('data-menu="')[1].split('"')[0]
    menu = bob.get(path, fragment=True).text
    assert "Hide reposts by @alice" in menu and "Mute @carol" in menu
    answer = bob.send("/@alice/mute", fragment=True, scope="reposts")
    assert '"reposts-hidden": "alice"' in answer.headers["HX-Trigger"]
    assert "author-hidden" not in answer.headers["HX-Trigger"], "her own posts stay"
    assert bob.feed() == []
    assert "Show reposts by @alice again" in bob.get(path, fragment=True).text
    assert "Hide reposts by" not in alice.get(path, fragment=True).text, "one does not mute oneself"


def test_an_entry_that_is_none_of_this_post_names_nobody(alice: Member, bob: Member, repost: int) -> None:
    other = alice.write("another")
    for entry in (repost, 1, 10**16, "x", ""):
        page = bob.get(f"/posts/{other}/menu?entry={entry}")
        assert page.status_code == 200 and "Hide reposts by" not in page.text


@pytest.mark.parametrize("fields", [{"duration": "month"}, {"scope": "likes"}, {"duration": ""}])
def test_what_is_not_on_the_page_cannot_be_chosen(alice: Member, bob: Member, fields: dict[str, Any]) -> None:
    assert bob.send("/@alice/mute", **fields).status_code == 400
    assert "You haven’t muted anyone." in bob.get("/settings/mutes").text


def test_the_form_is_a_page_or_what_a_dialog_shows(alice: Member, bob: Member) -> None:
    page = bob.get("/@alice/mute?next=/explore")
    assert page.text.startswith("<!doctype html>") and 'name="next" value="/explore"' in page.text
    assert 'value="/@alice"' in bob.get("/@alice/mute?next=https://example.com/").text
    fragment = bob.get("/@alice/mute?relation=shown", fragment=True).text
    assert "<html" not in fragment and f'hx-target="#relation-{alice.id}"' in fragment
    answer = bob.send("/@alice/mute", duration="week", scope="all", next="/explore")
    assert answer.location == "/explore"
    assert "You’ve muted @alice for a week." in bob.get("/explore").text


def test_a_mute_that_ended_does_not_hide_from_the_pages_it_would_fill(
    alice: Member, bob: Member, move_clock: MoveClock
) -> None:
    posts = [alice.write(f"post {n}") for n in range(25)]
    mute(bob, alice, duration="hour", scope="all")
    first = bob.get("/")
    assert entries(first.text) == []
    move_clock(timedelta(hours=2))
    assert bob.feed() == list(reversed(posts))
