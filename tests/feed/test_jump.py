"""Jump to a date: the same lists under the same cursors, made from a date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import insert

from app.core import clock, ids
from app.core.days import BadDay, end_of, read_day
from app.extensions import db
from app.posts.models import Post
from tests.people import Member, entries

FIRST = datetime(2026, 2, 1, 12, tzinfo=UTC)


@pytest.fixture
def diary(app: Flask, alice: Member) -> list[int]:
    """Let Alice have written at noon of every day from the first of February on, and at the turn of some."""
    moments = [FIRST + timedelta(days=day) for day in range(50)]
    moments += [datetime(2026, 2, 10, 23, 59, 59, 999_000, UTC), datetime(2026, 2, 11, tzinfo=UTC)]
    written = sorted(ids.id_at(moment) + 1 for moment in moments)
    with app.app_context():
        rows = [{"id": post, "author_id": alice.id, "text": f"on {ids.time_of(post):%d %B}"} for post in written]
        db.session.execute(insert(Post), rows)
        db.session.commit()
    return written[::-1]


def until(diary: Sequence[int], day: date) -> list[int]:
    """Return what was written on that day or before."""
    return [post for post in diary if ids.time_of(post).date() <= day]


def words(page: str) -> str:
    return re.sub(r"<[^>]+>", "", page)


@pytest.mark.parametrize("path", ["/feed/jump", "/@alice/jump"])
@pytest.mark.parametrize("warm", [True, False])
def test_a_day_leads_to_its_newest_and_on_to_the_end(bob: Member, diary: list[int], path: str, warm: bool) -> None:
    if warm:
        assert len(bob.feed()) == len(diary)
    answer = bob.get(f"{path}?date=2026-02-10")
    assert answer.status_code == 303
    page = bob.get(answer.location).text
    assert bob.feed(answer.location) == until(diary, date(2026, 2, 10))
    assert ids.time_of(entries(page)[0]) == datetime(2026, 2, 10, 23, 59, 59, 999_000, UTC)
    assert "Showing posts from 10 February 2026 and earlier." in words(page) and "Back to top" in page


def test_a_day_without_posts_leads_to_the_one_before(bob: Member, diary: list[int]) -> None:
    answer = bob.get("/feed/jump?date=2026-06-01")
    assert "Showing posts from 22 March 2026 and earlier." in words(bob.get(answer.location).text)
    assert bob.feed(answer.location) == diary


@pytest.mark.parametrize(("path", "top"), [("/feed/jump", "/"), ("/@alice/jump", "/@alice")])
def test_today_and_the_future_are_the_top(alice: Member, path: str, top: str) -> None:
    today = clock.now().date()
    for day in (today, today + timedelta(days=1), date(9999, 12, 31)):
        assert alice.get(f"{path}?date={day.isoformat()}").location == top


@pytest.mark.parametrize("path", ["/feed/jump", "/@alice/jump"])
@pytest.mark.parametrize("day", ["2026-01-05", "2025-12-31", "1969-07-20", "0001-01-01"])
def test_before_the_beginning_there_is_nothing_and_a_way_back(
    alice: Member, diary: list[int], path: str, day: str
) -> None:
    page = alice.get(alice.get(f"{path}?date={day}").location)
    assert page.status_code == 200
    assert entries(page.text) == []
    assert "There’s nothing that old here." in page.text and "Back to top" in page.text


@pytest.mark.parametrize("path", ["/feed/jump", "/@alice/jump"])
@pytest.mark.parametrize(
    "typed", ["", " ", "yesterday", "2026-02-30", "2026-2-3", "20260203", "2026-W06-2", "²026-02-03", "<b>", "1" * 300]
)
def test_what_is_no_day_is_said_and_kept(alice: Member, path: str, typed: str) -> None:
    answer = alice.client.get(path, query_string={"date": typed})
    assert answer.status_code == 422
    assert ("Choose a date first." if not typed.strip() else "That’s not a valid date.") in answer.text
    kept = typed.replace("<", "&lt;").replace(">", "&gt;")
    assert f'value="{kept}"' in answer.text


@pytest.mark.parametrize("path", ["/feed/jump", "/@alice/jump"])
def test_without_a_day_it_is_a_form(alice: Member, path: str) -> None:
    page = alice.get(path)
    assert page.status_code == 200
    assert f'action="{path}"' in page.text and "error" not in page.text.partition("<main")[2].partition("</main")[0]


def test_home_and_profile_lead_there(alice: Member, stranger: Member) -> None:
    assert 'action="/feed/jump"' in alice.get("/").text
    assert 'action="/@alice/jump"' in stranger.get("/@alice").text


def test_a_profile_is_for_whoever_may_see_it(alice: Member, mallory: Member, stranger: Member) -> None:
    alice.write("today")
    assert mallory.get("/@alice/jump?date=2026-03-01").status_code == 404
    assert stranger.get("/@nobody_here/jump?date=2026-03-01").status_code == 404
    assert stranger.get("/@alice/jump?date=2026-03-01").status_code == 303
    assert stranger.get("/feed/jump?date=2026-03-01").location.startswith("/login")


def test_the_cursor_is_for_its_reader_alone(alice: Member, bob: Member, diary: list[int]) -> None:
    location = alice.get("/feed/jump?date=2026-02-10").location
    assert bob.get(location).status_code == 400


def test_a_day_is_over_at_midnight() -> None:
    end = end_of(date(2026, 2, 10), None)
    assert end is not None and ids.time_of(end) == datetime(2026, 2, 11, tzinfo=UTC)
    assert end_of(clock.now().date(), None) is None
    assert end_of(date(1, 1, 1), None) == 1
    assert read_day(" 2026-02-10 ") == date(2026, 2, 10)
    with pytest.raises(BadDay):
        read_day("2026-13-01")
