"""Settings → Feed: what is a repeat to a reader; it acts at once, on old entries too."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import text

from app.core.ids import SEQUENCE_BITS
from app.extensions import db, redis
from tests.outbox import drain
from tests.people import Member

HOUR = 60 * 60 * 1000 << SEQUENCE_BITS


def age(app: Flask, entry: int, by: timedelta) -> int:
    """Make an entry older, everywhere, and return its new id."""
    older = entry - int(by.total_seconds() / 3600 * HOUR)
    with app.app_context():
        db.session.execute(text("UPDATE posts SET id = :older WHERE id = :id"), {"older": older, "id": entry})
        db.session.commit()
        with redis.client() as client:
            client.flushall()
    return older


def choose(who: Member, hours: int, *, own: bool = False) -> None:
    data = {"csrf_token": who.csrf_token, "repeat_hours": hours, **({"hides_own_reposts": "yes"} if own else {})}
    assert who.client.post("/settings/feed", data=data).status_code == 303


@pytest.mark.parametrize(("hours", "shown"), [(12, 2), (72, 1), (0, 2), (1_000_000, 1)])
def test_a_repeat_within_the_time_is_left_out(
    app: Flask, alice: Member, bob: Member, carol: Member, mod: Member, hours: int, shown: int
) -> None:
    bob.follow(carol)
    post = age(app, mod.write("by Maud"), timedelta(days=20))
    for who in (alice, carol):
        assert who.send(f"/posts/{post}/repost").status_code == 303
    drain(app)
    choose(bob, 0)
    newest, oldest = bob.feed()
    oldest = age(app, oldest, timedelta(hours=24))
    choose(bob, hours)
    assert bob.feed() == [newest, oldest][2 - shown :]


def test_never_again_what_one_reposted_oneself(
    app: Flask, alice: Member, bob: Member, carol: Member, mod: Member
) -> None:
    post = mod.write("by Maud")
    assert alice.send(f"/posts/{post}/repost").status_code == 303
    [hers] = bob.feed()
    assert bob.send(f"/posts/{post}/repost").status_code == 303
    choose(bob, 0)
    drain(app)
    own, also_hers = bob.feed()
    assert also_hers == hers
    choose(bob, 0, own=True)
    assert bob.feed() == [own]
    assert bob.send(f"/posts/{post}/repost/delete").status_code == 303
    assert bob.feed() == [hers]


@pytest.mark.parametrize("hours", ["13", "-1", "", "x", "99999999999999999999"])
def test_what_is_not_on_the_page_cannot_be_chosen(alice: Member, hours: str) -> None:
    assert alice.send("/settings/feed", repeat_hours=hours).status_code == 400


def test_the_page_shows_what_was_chosen(alice: Member) -> None:
    assert 'value="72" checked' in alice.get("/settings/feed").text
    choose(alice, 12, own=True)
    page = alice.get("/settings/feed").text
    assert 'value="12" checked' in page and 'aria-describedby="own-hint" checked' in page
    assert "Saved." in page
