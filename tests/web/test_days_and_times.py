"""Every page says days and times by the clock of its reader, from the server, whether scripts run or not."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlalchemy import insert, select, update

from app.accounts.models import LoginSession, User
from app.core import clock
from app.core.ids import id_at, time_of
from app.core.times import day, in_full, part_of_day
from app.core.zones import zone_named
from app.extensions import db
from app.feed.models import FeedMark
from app.posts.cards import rendering
from app.posts.cards.reading import cards_for
from app.posts.models import Post, TagFollow, WordFilter
from app.social.models import Follow, Mute
from tests.discovery.searching import found
from tests.people import Member, entries

KIRITIMATI, KATHMANDU, LOS_ANGELES = "Pacific/Kiritimati", "Asia/Kathmandu", "America/Los_Angeles"
NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)
# What noon in Greenwich is called elsewhere.
AT_NOON = {
    None: "10 February 2026, 12:00 UTC",
    "UTC": "10 February 2026, 12:00",
    KIRITIMATI: "11 February 2026, 02:00",
    KATHMANDU: "10 February 2026, 17:45",
    LOS_ANGELES: "10 February 2026, 04:00",
}
ZONES = pytest.mark.parametrize("zone", AT_NOON)


@pytest.fixture(autouse=True)
def spring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be May, so that February is this year's, and over."""
    now = datetime(2026, 5, 20, 12, tzinfo=UTC)
    monkeypatch.setattr(clock, "now", lambda: now)


@pytest.fixture
def write_at(app: Flask, alice: Member) -> Callable[..., int]:
    """Let Alice have written at some moment."""

    def write_at(moment: datetime, text: str = "old news about tea", **values: object) -> int:
        post_id = id_at(moment) + 1
        with app.app_context():
            db.session.execute(insert(Post).values(id=post_id, author_id=alice.id, text=text, **values))
            db.session.commit()
        return post_id

    return write_at


def live_in(who: Member, zone: str | None) -> None:
    with who.app.app_context():
        db.session.execute(update(User).where(User.id == who.id).values(time_zone=zone))
        db.session.commit()


def times_in(page: str, selector: str) -> list[str]:
    """Return the words of the times that have an attribute."""
    return re.findall(rf"<time[^>]*{selector}[^>]*>([^<]+)</time>", page)


@ZONES
def test_a_card_says_its_day(zone: str | None, bob: Member, write_at: Callable[..., int]) -> None:
    post = write_at(NOON)
    live_in(bob, zone)
    expected = AT_NOON[zone].split(" February")[0] + " Feb"
    for path in ("/", "/feed", "/@alice", "/explore", f"/@alice/{post}", "/search?q=tea&in=latest"):
        assert times_in(bob.get(path).text, 'data-as="ago"') == [expected], path


@ZONES
def test_a_quoted_post_says_its_day(zone: str | None, bob: Member, write_at: Callable[..., int]) -> None:
    quoted = write_at(NOON)
    write_at(NOON + timedelta(days=3), "see this", quote_of_id=quoted)
    live_in(bob, zone)
    expected = AT_NOON[zone].split(" February")[0] + " Feb"
    for path in ("/", f"/compose?quote_of={quoted}"):
        assert times_in(bob.get(path).text, 'data-as="short-day"') == [expected], path


@ZONES
def test_a_reply_and_a_repost_say_their_day(
    zone: str | None, alice: Member, bob: Member, write_at: Callable[..., int]
) -> None:
    post = write_at(NOON - timedelta(days=20))
    reply = {"reply_to_id": post, "reply_to_author_id": alice.id, "thread_id": post}
    write_at(NOON, "an answer", **reply)
    write_at(NOON + timedelta(seconds=1), "", repost_of_id=post)
    live_in(bob, zone)
    expected = AT_NOON[zone].split(" February")[0] + " Feb"
    assert times_in(bob.get(f"/@alice/{post}").text, 'data-as="ago"')[-1] == expected
    assert times_in(bob.get("/@alice").text, 'class="reposted-at"') == [expected]


def test_a_card_is_kept_once_for_all_zones_where_its_words_are_the_same(
    app: Flask, write_at: Callable[..., int]
) -> None:
    post = write_at(NOON)
    with app.test_request_context("/"):
        [card] = cards_for([post], viewer=None)
        parts = {
            zone: rendering.card_parts(card, zone=zone_named(zone), has_menu=True)
            for zone in (LOS_ANGELES, KATHMANDU, None, KIRITIMATI)
        }
    assert parts[LOS_ANGELES] is parts[KATHMANDU] is parts[None]
    assert parts[KIRITIMATI] != parts[None]
    assert b'title="10 February 2026, 12:00 UTC"' in b"".join(parts[KIRITIMATI]), "no reader's: times.js says theirs"


@ZONES
def test_a_post_says_when_it_was_written(zone: str | None, bob: Member, write_at: Callable[..., int]) -> None:
    post = write_at(NOON)
    live_in(bob, zone)
    assert times_in(bob.get(f"/@alice/{post}").text, 'data-as="moment"') == [AT_NOON[zone]]


@ZONES
def test_a_place_further_down_says_its_day(zone: str | None, bob: Member, write_at: Callable[..., int]) -> None:
    write_at(NOON)
    live_in(bob, zone)
    for path in ("/feed/jump?date=2026-02-12", "/@alice/jump?date=2026-02-12"):
        page = bob.get(bob.get(path).location).text.partition("<aside")[0]  # where a profile says other days
        assert times_in(page, 'data-as="day"') == [AT_NOON[zone].split(",")[0]]


# The last moment of the tenth of February, in UTC.
LAST = {
    None: datetime(2026, 2, 10, 23, 59, 59, 999_000, UTC),
    KIRITIMATI: datetime(2026, 2, 10, 9, 59, 59, 999_000, UTC),
    KATHMANDU: datetime(2026, 2, 10, 18, 14, 59, 999_000, UTC),
    LOS_ANGELES: datetime(2026, 2, 11, 7, 59, 59, 999_000, UTC),
}
# The same of days on which clocks change.
SHORT_AND_LONG = {
    ("America/Los_Angeles", "2026-03-08"): datetime(2026, 3, 9, 6, 59, 59, 999_000, UTC),
    ("Europe/Vienna", "2026-03-29"): datetime(2026, 3, 29, 21, 59, 59, 999_000, UTC),
    ("Australia/Sydney", "2026-04-05"): datetime(2026, 4, 5, 13, 59, 59, 999_000, UTC),  # of 25 hours
}
ENDS = [(zone, "2026-02-10", last) for zone, last in LAST.items()]
ENDS += [(zone, date, last) for (zone, date), last in SHORT_AND_LONG.items()]


@pytest.mark.parametrize("path", ["/feed/jump", "/@alice/jump"])
@pytest.mark.parametrize(("zone", "date", "last"), ENDS)
def test_a_day_leads_to_its_last_post_there(
    path: str, zone: str | None, date: str, last: datetime, bob: Member, write_at: Callable[..., int]
) -> None:
    of_the_day = write_at(last)
    write_at(last + timedelta(milliseconds=1), "of the next day")
    live_in(bob, zone)
    assert entries(bob.get(bob.get(f"{path}?date={date}").location).text) == [of_the_day]


@pytest.mark.parametrize("asked", [KIRITIMATI, "Mars/Olympus", ""])
def test_a_browser_may_say_where_a_day_ends_only_for_whom_that_is_not_known(
    asked: str, app: Flask, bob: Member, write_at: Callable[..., int]
) -> None:
    there = write_at(LAST[KIRITIMATI])
    here = write_at(LAST[None], "later")
    expected = there if asked == KIRITIMATI else here
    stranger = app.test_client()
    place = stranger.get(f"/@alice/jump?date=2026-02-10&time_zone={asked}").location
    assert entries(stranger.get(place).text)[0] == expected
    assert entries(bob.get(bob.get(f"/feed/jump?date=2026-02-10&time_zone={asked}").location).text)[0] == expected
    live_in(bob, "UTC")
    assert entries(bob.get(bob.get(f"/feed/jump?date=2026-02-10&time_zone={asked}").location).text)[0] == here


def test_today_leads_to_the_top_only_where_it_is_not_over(bob: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    for zone, is_top in ((KIRITIMATI, False), (KATHMANDU, True), (LOS_ANGELES, True)):
        live_in(bob, zone)
        assert (bob.get("/feed/jump?date=2026-05-20").location == "/") == is_top, zone


@pytest.mark.parametrize(("zone", "date", "last"), ENDS)
def test_a_search_before_or_after_a_day_goes_by_the_readers_days(
    zone: str | None, date: str, last: datetime, bob: Member, write_at: Callable[..., int]
) -> None:
    of_the_day, next_day = write_at(last), write_at(last + timedelta(milliseconds=1))
    live_in(bob, zone)
    following = (datetime.fromisoformat(date) + timedelta(days=1)).date().isoformat()
    assert found(bob, f"tea before:{following}") == [of_the_day]
    assert found(bob, f"tea after:{following}") == [next_day]
    assert found(bob, f"tea after:{date} before:{following}") == [of_the_day]


def test_the_search_tips_say_utc_only_where_it_is(app: Flask, bob: Member) -> None:
    assert "March 2026 (UTC)" in bob.get("/search").text
    assert "March 2026 (UTC)" in app.test_client().get("/search").text
    live_in(bob, KATHMANDU)
    assert "(UTC)" not in bob.get("/search").text


@ZONES
def test_the_test_of_a_filter_says_when(zone: str | None, bob: Member, write_at: Callable[..., int]) -> None:
    write_at(NOON)
    live_in(bob, zone)
    fields = {"phrase": "tea", "match": "word", "action": "hide", "lasts": "ever"}
    for fragment in (True, False):
        page = bob.send("/settings/filters/test", fragment=fragment, **fields).text
        assert times_in(page, 'data-as="moment"') == [AT_NOON[zone]]


@ZONES
def test_settings_say_when_things_end_and_since_when_they_hold(zone: str | None, app: Flask, bob: Member) -> None:
    bob.send("/@alice/mute")
    bob.send("/settings/filters", phrase="tea", match="word", action="hide", lasts="ever")
    bob.send("/tags/tea/follow")
    live_in(bob, zone)
    with app.app_context():
        db.session.execute(update(WordFilter).values(until=NOON + timedelta(days=365)))
        db.session.execute(update(Mute).values(until=NOON + timedelta(days=365)))
        followed = db.session.scalars(select(TagFollow)).one().followed_at
        db.session.execute(update(LoginSession).values(created_at=NOON))
        db.session.commit()
    next_year = AT_NOON[zone].replace("2026", "2027")
    filters, mutes = bob.get("/settings/filters").text, bob.get("/settings/mutes").text
    assert times_in(filters, 'data-as="moment"') == times_in(mutes, 'data-as="moment"') == [next_year]
    assert times_in(bob.get("/settings/tags").text, 'data-as="day"') == [day(followed, zone_named(zone))]
    assert times_in(bob.get("/settings/sessions").text, 'data-as="moment"')[0] == AT_NOON[zone]
    [path] = re.findall(r'href="(/settings/filters/\d+)"', filters)
    assert f"No change: until {next_year.split(',')[0]}" in bob.get(path).text


@ZONES
def test_the_history_of_a_post_says_when_it_was_changed(
    zone: str | None, bob: Member, alice: Member, write_at: Callable[..., int]
) -> None:
    post = write_at(NOON)
    [version] = re.findall(r'name="version" value="(\d+)"', alice.get(f"/posts/{post}/edit").text)
    assert alice.send(f"/posts/{post}/edit", text="newer news", version=version).status_code == 303
    live_in(bob, zone)
    assert AT_NOON[zone] in times_in(bob.get(f"/@alice/{post}/history").text, 'data-as="moment"')


@pytest.mark.parametrize(("zone", "month"), [(KIRITIMATI, "February 2026"), (LOS_ANGELES, "January 2026")])
def test_a_profile_says_since_when(zone: str, month: str, app: Flask, alice: Member, bob: Member) -> None:
    with app.app_context():
        joined = datetime(2026, 1, 31, 11, tzinfo=UTC)
        db.session.execute(update(User).where(User.id == alice.id).values(created_at=joined))
        db.session.commit()
    live_in(bob, zone)
    assert times_in(bob.get("/@alice").text, 'data-as="month"') == [month]


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Sao_Paulo"])  # half a day apart
def test_home_says_since_when_something_is_new(
    zone: str, app: Flask, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob.client.set_cookie("scripts", "on")
    alice.write("seen")
    bob.get("/")
    [seen] = entries(bob.get("/").text)
    bob.send("/feed/seen", seen=f"{seen}-{seen}")
    alice.write("new")
    live_in(bob, zone)
    with app.app_context():
        moved_at = db.session.get_one(FeedMark, bob.id).seen_at
    assert moved_at is not None
    now = moved_at + timedelta(hours=3)
    monkeypatch.setattr(clock, "now", lambda: now)
    words = part_of_day(moved_at, zone_named(zone))
    assert words != part_of_day(moved_at, None) or zone == "America/Sao_Paulo"
    assert f">{words}</time>" in bob.get("/").text
    assert f">{words}</time>" in bob.get("/feed/left-off", fragment=True).text


@ZONES
def test_why_says_since_when_and_until_when(zone: str | None, app: Flask, alice: Member, bob: Member) -> None:
    post = alice.write("hello")
    live_in(bob, zone)
    with app.app_context():
        follow = db.session.scalars(select(Follow).where(Follow.follower_id == bob.id)).one()
        followed = day(time_of(follow.id), zone_named(zone))
    assert f"You’ve followed @alice since {followed}." in re.sub(r"<[^>]+>", "", bob.get(f"/posts/{post}/why").text)
    until = datetime(2036, 2, 10, 12, tzinfo=UTC)
    bob.send("/@alice/mute")
    with app.app_context():
        db.session.execute(update(Mute).values(until=until))
        db.session.commit()
    told = re.sub(r"<[^>]+>", "", bob.get(f"/posts/{post}/why?at=/@alice").text)
    assert f"You’ve muted @alice until {in_full(until, zone_named(zone))}." in told
