"""Announcements above the feed: from a day to a day, until a reader dismisses them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.accounts.models import User
from app.core import clock
from app.extensions import db
from app.moderation.log.models import LogEntry
from app.site import settings
from app.site.models import AnnouncementRow
from tests.people import Member
from tests.sql import statements


def announce(mod: Member, text: str, **fields: str) -> int:
    assert mod.send("/admin/announcements", text=text, **dict[str, Any](fields)).status_code == 303
    with mod.app.app_context():
        return db.session.scalars(select(func.max(AnnouncementRow.id))).one()


def day(offset: int) -> str:
    return str(clock.now().date() + timedelta(days=offset))


def test_an_announcement_stands_above_every_feed_until_it_is_dismissed(mod: Member, alice: Member, bob: Member) -> None:
    alice.write("hello")  # a feed that is kept as HTML; Bob's and Maud's
    empty = mod
    first = announce(mod, "Tea **at five** <script>")
    for who in (alice, bob, empty):
        page = who.get("/").text
        assert "Tea <strong>at five</strong> &lt;script&gt;" in page and page.index("Tea <strong>") < page.index(
            "composing"
        )
    assert alice.send(f"/announcements/{first}/dismiss").location == "/"
    assert "at five" not in alice.get("/").text and "at five" in bob.get("/").text
    assert "at five" not in alice.get("/explore").text


def test_dismissing_shows_what_comes_after_it(mod: Member, alice: Member) -> None:
    first, second = announce(mod, "one"), announce(mod, "two")
    assert "<p>one</p>" in alice.get("/").text and "<p>two</p>" not in alice.get("/").text
    answer = alice.send(f"/announcements/{first}/dismiss", fragment=True)
    assert "<p>two</p>" in answer.text and f'value="{alice.csrf_token.split(".")[0]}' in answer.text
    assert alice.send(f"/announcements/{second}/dismiss", fragment=True).text == ""


def test_an_announcement_is_there_from_its_first_day_to_its_last(mod: Member, alice: Member) -> None:
    announce(mod, "later", starts=day(2))
    announce(mod, "today", starts=day(-1), ends=day(0))
    assert "<p>today</p>" in alice.get("/").text and "<p>later</p>" not in alice.get("/").text
    with mod.app.app_context():
        db.session.execute(update(AnnouncementRow).values(starts_at=AnnouncementRow.starts_at - timedelta(days=3)))
        db.session.execute(update(AnnouncementRow).values(ends_at=AnnouncementRow.ends_at - timedelta(days=3)))
        db.session.commit()
        settings.forget()
    assert "<p>later</p>" in alice.get("/").text and "<p>today</p>" not in alice.get("/").text


def test_an_announcement_costs_the_home_page_no_statement(app: Flask, mod: Member, alice: Member) -> None:
    alice.write("hello")

    def asked() -> int:
        alice.get("/")
        with statements() as sent:
            alice.get("/")
        return len(sent)

    before = asked()
    announce(mod, "Tea")
    assert asked() == before


def test_what_is_dismissed_is_forgotten_when_it_is_over(app: Flask, mod: Member, alice: Member) -> None:
    first, second = announce(mod, "one"), announce(mod, "two")
    alice.send(f"/announcements/{first}/dismiss")
    mod.send(f"/admin/announcements/{first}/delete")
    for _ in range(2):
        alice.send(f"/announcements/{second}/dismiss")
    alice.send("/announcements/99999/dismiss")
    with app.app_context():
        assert db.session.get_one(User, alice.id).dismissed == [second]


def test_what_is_taken_back_is_gone_and_on_the_record(app: Flask, mod: Member, alice: Member) -> None:
    first = announce(mod, "Tea")
    assert mod.send(f"/admin/announcements/{first}/delete").status_code == 303
    assert "<p>Tea</p>" not in alice.get("/").text
    assert mod.send(f"/admin/announcements/{first}/delete").status_code == 404
    with app.app_context():
        found = [(entry.action, entry.after) for entry in db.session.scalars(select(LogEntry).order_by(LogEntry.id))]
    assert found == [("announcement.made", {"announcement": "Tea"}), ("announcement.deleted", {"announcement": ""})]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": " "}, "Write something first."),
        ({"text": "t" * 1001}, "Use 1,000 characters or fewer."),
        ({"text": "Tea", "starts": "soon"}, "That’s not a valid date."),
        ({"text": "Tea", "ends": "2026-02-30"}, "That’s not a valid date."),
        ({"text": "Tea", "ends": "2020-01-01"}, "That’s over before it begins."),
    ],
)
def test_what_cannot_be_announced_is_said(mod: Member, fields: dict[str, str], sentence: str) -> None:
    response = mod.send("/admin/announcements", **fields)  # type: ignore[arg-type]
    assert response.status_code == 422 and sentence in response.text


def test_strangers_see_no_announcement(mod: Member, stranger: Member) -> None:
    announce(mod, "Tea")
    assert "<p>Tea</p>" not in stranger.get("/").text
