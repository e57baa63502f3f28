"""The pill says exactly what a click will show; the feed says where one left off."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask

from app.extensions import redis
from app.feed.home.new_posts import OVERLAP, Since
from app.runtime.servers import EphemeralServers
from tests.outbox import drain
from tests.people import FRAGMENT, Member, entries
from tests.sql import statements


def since_of(page: str) -> str:
    match = re.search(r'hx-get="/feed/new\?since=([^"]+)"', page)
    assert match
    return match[1]


def count_in(response_text: str) -> str:
    match = re.search(r">\s*(\S+) new posts?<", response_text)
    assert match, response_text
    return match[1]


def test_nothing_new_is_a_204(alice: Member, bob: Member) -> None:
    alice.write("old")
    response = bob.get(f"/feed/new?since={since_of(bob.get('/').text)}", fragment=True)
    assert (response.status_code, response.text) == (204, "")
    assert json.loads(response.headers["HX-Trigger"]) == {"unread": 0}


@pytest.mark.parametrize("is_drained", [True, False])
def test_the_number_is_what_a_click_shows(
    app: Flask, alice: Member, bob: Member, carol: Member, is_drained: bool
) -> None:
    bob.follow(carol)
    since = since_of(bob.get("/").text)
    shown = [alice.write("one"), carol.write("two"), alice.write("three")]
    gone = alice.write("deleted again")
    alice.delete(gone)
    sent = bob.write("my own, on this page")
    shown.append(bob.write("my own, in another tab"))
    if is_drained:
        drain(app)
    pill = bob.get(f"/feed/new?since={since}&sent={sent}", fragment=True)
    assert count_in(pill.text) == "4"
    click = bob.get(f"/feed/new?show=1&since={since}&sent={sent}", fragment=True)
    assert entries(click.text) == list(reversed(shown))
    assert bob.get(f"/feed/new?since={since_of(click.text)}", fragment=True).status_code == 204


def test_ones_own_posts_are_not_new_to_the_rest_of_the_site(alice: Member, bob: Member) -> None:
    alice.write("seen")
    bob.get("/"), bob.get("/")
    bob.write("my own, on the page of a post")
    assert bob.get("/feed/new", fragment=True).status_code == 204


@pytest.mark.parametrize("sent", ["a post", "-1", "1,,x", str(2**63), ",".join(map(str, range(1, 200)))])
def test_what_no_page_has_sent_is_refused(bob: Member, sent: str) -> None:
    since = since_of(bob.get("/").text)
    assert bob.client.get("/feed/new", query_string={"since": since, "sent": sent}, headers=FRAGMENT).status_code == 400


def test_muted_and_blocked_people_are_not_counted(alice: Member, bob: Member, carol: Member) -> None:
    bob.follow(carol)
    since = since_of(bob.get("/").text)
    alice.write("muted")
    carol.write("blocked")
    bob.mute(alice)
    bob.block(carol)
    assert bob.get(f"/feed/new?since={since}", fragment=True).status_code == 204


def test_above_99_it_says_so(app: Flask, alice: Member, bob: Member) -> None:
    since = since_of(bob.get("/").text)
    for n in range(101):
        alice.write(f"post {n}")
    assert count_in(bob.get(f"/feed/new?since={since}", fragment=True).text) == "99+"


def test_more_than_a_click_can_show_leads_home(app: Flask, alice: Member, bob: Member) -> None:
    """The number was small when it was shown; by the time of the click there are more than one answer holds."""
    since = since_of(bob.get("/").text)
    for n in range(101):
        alice.write(f"number {n}")
    shown = bob.get(f"/feed/new?show=1&since={since}", fragment=True)
    assert (shown.status_code, shown.text, shown.headers["HX-Redirect"]) == (204, "", "/")


def test_without_redis_the_number_is_the_same(servers: EphemeralServers, alice: Member, bob: Member) -> None:
    since = since_of(bob.get("/").text)
    servers.valkey.kill()
    try:
        alice.write("while Redis is away")
        assert count_in(bob.get(f"/feed/new?since={since}", fragment=True).text) == "1"
    finally:
        servers.valkey.start()
        redis.init_app(bob.app)


def test_a_post_that_commits_late_is_still_new() -> None:
    """Ids are drawn in order, but a lower one may commit after a higher one was shown."""
    page = Since.shown([10 * OVERLAP], is_all=True)
    assert page.is_new(10 * OVERLAP - 1)
    assert not page.is_new(10 * OVERLAP)
    assert not page.is_new(9 * OVERLAP)


def test_what_is_on_the_second_page_is_not_new() -> None:
    shown = list(range(1_000, 980, -1))
    assert not Since.shown(shown, is_all=False).is_new(975)
    assert Since.shown(shown, is_all=True).is_new(975)


def test_a_token_belongs_to_one_reader(app: Flask, alice: Member, bob: Member) -> None:
    since = since_of(bob.get("/").text)
    for token in (since, since[:-1] + "x", "nonsense"):
        assert alice.get(f"/feed/new?since={token}", fragment=True).status_code == 400


def test_without_javascript_the_address_leads_home(bob: Member) -> None:
    response = bob.get(f"/feed/new?since={since_of(bob.get('/').text)}")
    assert (response.status_code, response.location) == (303, "/")


def test_the_line_is_drawn_where_one_left_off(app: Flask, alice: Member, bob: Member) -> None:
    seen = alice.write("seen")
    assert "You left off here" not in bob.get("/").text, "on the first visit there is no line"
    alice.write("new")
    page = bob.get("/").text
    assert re.search(rf'data-entry="{seen}".*?You left off here', page, flags=re.S)
    assert page.count('class="left-off"') == 1
    bob.get("/")
    assert "You’re all caught up" in bob.get("/").text


def test_the_line_is_found_on_a_later_page(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("seen")
    bob.get("/")
    for n in range(45):
        alice.write(f"new {n}")
    lines = [bob.get(path).text.count("You left off here") for path in walk(bob)]
    assert lines == [0, 0, 1]


def walk(member: Member) -> list[str]:
    paths, path = [], "/"
    while path:
        paths.append(path)
        match = re.search(r'<a rel="next"[^>]* href="([^"]+)"', member.get(path).text)
        path = match[1].replace("&amp;", "&") if match else ""
    return paths


def test_elsewhere_the_home_link_counts_what_was_not_seen(alice: Member, bob: Member) -> None:
    assert bob.get("/feed/new", fragment=True).status_code == 204
    alice.write("old")
    bob.get("/")
    alice.write("new")
    response = bob.get("/feed/new", fragment=True)
    assert json.loads(response.headers["HX-Trigger"]) == {"unread": 1}
    bob.get("/")
    assert bob.get("/feed/new", fragment=True).status_code == 204


def test_it_costs_one_statement(app: Flask, alice: Member, bob: Member) -> None:
    alice.write("old")
    drain(app)
    since = since_of(bob.get("/").text)
    with statements() as sent:
        bob.get(f"/feed/new?since={since}", fragment=True)
    assert len(sent) == 1
