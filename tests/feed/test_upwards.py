"""Reading forward in time: pages upwards from any place see exactly the feed, and join its top."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.extensions import redis
from app.feed.home import left_off
from app.runtime.servers import EphemeralServers
from tests.outbox import drain
from tests.people import Member, entries
from tests.redis_trips import round_trips
from tests.sql import statements


def prev_link(html: str) -> str | None:
    match = re.search(r'<a rel="prev"[^>]* href="([^"]+)"', html)
    return match[1].replace("&amp;", "&") if match else None


def upwards(member: Member, path: str) -> list[int]:
    """Walk from a page to the top and return what is above it, newest first."""
    found: list[int] = []
    link = prev_link(member.get(path).text)
    while link is not None:
        page = member.get(link)
        assert page.status_code == 200
        found = entries(page.text) + found
        link = prev_link(page.text)
    return found


def write(member: Member, count: int) -> list[int]:
    return [member.write(f"number {number} #tea") for number in range(count)][::-1]


def cursors(member: Member, path: str) -> list[str]:
    """Return the addresses of the pages of a list below its first."""
    found: list[str] = []
    while match := re.search(r'<a rel="next"[^>]* href="([^"]+)"', member.get(found[-1] if found else path).text):
        found.append(match[1].replace("&amp;", "&"))
    return found


@pytest.mark.parametrize("is_drained", [True, False])
@pytest.mark.parametrize("window", [3, 30, 500])
def test_F2_from_every_page_the_way_up_leads_through_all_above_it(
    app: Flask, alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch, window: int, is_drained: bool
) -> None:
    monkeypatch.setitem(app.config, "FEED_WINDOW", window)
    bob.get("/")
    feed = write(alice, 65)
    if is_drained:
        drain(app)
    for path in cursors(bob, "/"):
        here = entries(bob.get(path).text)
        assert upwards(bob, path) == [entry for entry in feed if entry > here[0]]
    assert prev_link(bob.get("/").text) is None, "nothing is above the top"


def test_F4_what_arrives_meanwhile_is_read_at_the_end_of_the_way(alice: Member, bob: Member) -> None:
    feed = write(alice, 45)
    page = bob.get(cursors(bob, "/")[-1])
    read: list[int] = []
    link = prev_link(page.text)
    while link is not None:
        page = bob.get(link)
        read = entries(page.text) + read
        if len(read) == 20:
            feed = [alice.write("meanwhile"), *feed]
        link = prev_link(page.text)
    assert read == feed[: len(read)] and len(read) == 41


def test_F10_without_redis_the_way_up_is_the_same(servers: EphemeralServers, alice: Member, bob: Member) -> None:
    feed = write(alice, 45)
    path = cursors(bob, "/")[-1]
    servers.valkey.kill()
    try:
        assert upwards(bob, path) == feed[:40]
    finally:
        servers.valkey.start()
        redis.init_app(bob.app)


def test_a_day_leads_forward_too(alice: Member, bob: Member) -> None:
    feed = write(alice, 22)
    path = bob.get("/feed/jump?date=2026-01-05").location
    assert entries(bob.get(path).text) == []
    assert upwards(bob, path) == feed


def test_a_page_around_an_entry_has_what_is_above_and_below_it(alice: Member, bob: Member) -> None:
    feed = write(alice, 65)
    page = bob.get(f"/feed?near={feed[30]}").text
    assert entries(page) == feed[10:50]
    assert upwards(bob, f"/feed?near={feed[30]}") == feed[:10]
    assert entries(bob.get(f"/feed?near={feed[5]}").text) == feed[:25], "what joins the top is the top"
    assert bob.get("/feed?near=0x3").status_code == bob.get("/feed?near=" + "9" * 30).status_code == 400


def test_the_way_to_where_one_left_off_opens_there(alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_off, "OVERLAP", 0)
    seen = write(alice, 5)
    bob.get("/"), bob.get("/")
    new = write(alice, 45)
    bob.client.set_cookie("scripts", "on")
    answer = bob.get("/feed/left-off")
    assert answer.status_code == 303 and answer.location.endswith("#left-off")
    page = bob.get(answer.location).text
    assert entries(page) == new[25:] + seen
    assert re.search(rf'data-entry="{seen[0]}"[^>]*>\s*<p class="left-off" id="left-off">You left off here', page)
    assert upwards(bob, answer.location) == new[:25]


@pytest.mark.parametrize("fragment", [True, False])
def test_a_place_belongs_to_one_reader(alice: Member, bob: Member, carol: Member, fragment: bool) -> None:
    write(alice, 25)
    link = prev_link(bob.get(cursors(bob, "/")[0]).text) or ""
    assert carol.get(link, fragment=fragment).status_code == 400


def test_F9_a_warm_page_upwards_takes_two_statements_and_one_round_trip(app: Flask, alice: Member, bob: Member) -> None:
    write(alice, 65)
    drain(app)
    bob.client.set_cookie("scripts", "on")
    bob.get("/"), bob.get("/")
    link = prev_link(bob.get(cursors(bob, "/")[-1]).text) or ""
    bob.get(link)
    with statements() as sent, round_trips() as trips:
        assert len(entries(bob.get(link).text)) == 20
    assert len(sent) == 2
    assert trips == [["EVALSHA"]]


@pytest.mark.parametrize("path", ["/@alice", "/tags/tea", "/explore"])
def test_from_every_page_of_a_list_the_way_up_leads_through_all_above_it(
    alice: Member, bob: Member, stranger: Member, path: str
) -> None:
    posts = write(alice, 45)
    for viewer in (bob, stranger):
        assert prev_link(viewer.get(path).text) is None
        for page in cursors(viewer, path):
            here = entries(viewer.get(page).text)
            assert upwards(viewer, page) == [entry for entry in posts if entry > here[0]]


def test_bookmarks_are_read_both_ways_and_around_a_post(alice: Member, bob: Member) -> None:
    for post in (posts := write(alice, 45)):  # the oldest is the last that is bookmarked
        assert bob.send(f"/posts/{post}/bookmark").status_code == 303
    kept = posts[::-1]
    for page in cursors(bob, "/bookmarks"):
        here = entries(bob.get(page).text)
        assert upwards(bob, page) == kept[: kept.index(here[0])]
    assert prev_link(bob.get("/bookmarks").text) is None
    assert entries(bob.get(f"/bookmarks?near={kept[22]}").text) == kept[2:42]
    assert upwards(bob, f"/bookmarks?near={kept[22]}") == kept[:2]
    assert entries(bob.get(f"/bookmarks?near={alice.write('not kept')}").text) == kept[:20]


def test_a_page_of_a_profile_from_a_date_leads_to_what_is_newer(alice: Member, bob: Member) -> None:
    posts = write(alice, 3)
    long_ago = bob.get("/@alice/jump?date=2026-01-02").location
    assert long_ago is not None
    page = bob.get(long_ago)
    assert entries(page.text) == []
    assert upwards(bob, long_ago) == posts


def test_a_page_upwards_is_a_whole_page_too(alice: Member, bob: Member) -> None:
    posts = write(alice, 45)
    [_, last] = cursors(bob, "/@alice")
    link = prev_link(bob.get(last).text)
    assert link is not None
    page = bob.get(link)
    assert entries(page.text) == posts[20:40]
    assert "Alice" in page.text
    assert prev_link(page.text) is not None
    assert re.search(r'<a rel="next"', page.text)
