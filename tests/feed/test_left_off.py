"""Where a reader left off: kept for all their devices, and said only where it is true."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.models import User
from app.core import clock
from app.core.times import part_of_day
from app.extensions import db
from app.feed.home import left_off, marks
from app.feed.home.seen import stretches_of
from app.feed.models import FeedMark
from app.posts.filters.operations import note_ended_filters
from app.posts.models import WordFilter
from app.social.models import Mute
from app.social.operations import forget_ended_mutes
from tests.outbox import drain
from tests.people import Member, entries
from tests.sql import statements

CAUGHT_UP, LEFT_HERE = "You’re all caught up", "You left off here"
SCRIPTS = "scripts"


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was posted a moment ago can have nothing late beside it: these tests write one after the other."""
    monkeypatch.setattr(left_off, "OVERLAP", 0)


def with_scripts(member: Member) -> Member:
    """Return the person in a browser that runs scripts: it says so in a cookie."""
    member.client.set_cookie(SCRIPTS, "on")
    return member


def on_another_device(member: Member) -> Member:
    return Member(member.app, member.id, member.handle)


def report(member: Member, *stretches: tuple[int, int]) -> int:
    said = ",".join(f"{first}-{last}" for first, last in stretches)
    return member.send("/feed/seen", seen=said).status_code


def count_of(member: Member) -> str:
    """Return how many are new, as the home page says it."""
    match = re.search(r"<span>(\S+) new", member.get("/").text)
    return match[1] if match else ""


def write(member: Member, count: int) -> list[int]:
    return [member.write(f"number {number}") for number in range(count)][::-1]


def test_F12_of_24_new_posts_five_that_were_looked_at_leave_nineteen(alice: Member, bob: Member) -> None:
    with_scripts(bob).get("/")
    [seen] = write(alice, 1)
    bob.get("/")
    report(bob, (seen, seen))
    new = write(alice, 24)
    assert count_of(bob) == "20+", "more than the first page has"
    assert report(bob, (new[5] + 1, new[0])) == 204
    assert "19 new" in bob.get("/feed/left-off", fragment=True).text
    assert CAUGHT_UP not in bob.get("/").text
    unread = bob.get("/feed/new", fragment=True)
    assert "19 new posts" in unread.text
    report(bob, (seen + 1, new[5]))
    page = bob.get("/").text
    assert CAUGHT_UP in page and "left-off-way" not in page
    assert bob.get("/feed/new", fragment=True).status_code == 204


def test_F12_posts_below_some_that_were_seen_stay_new(alice: Member, bob: Member) -> None:
    with_scripts(bob).get("/")
    posts = write(alice, 6)
    bob.get("/")
    report(bob, (posts[2], posts[0]))
    page = bob.get("/").text
    assert count_of(bob) == "3" and CAUGHT_UP not in page and LEFT_HERE not in page
    report(bob, (posts[5], posts[4]))
    assert count_of(bob) == "1"
    page = bob.get("/").text
    assert LEFT_HERE in page and re.search(rf'data-entry="{posts[4]}"[^>]*>\s*<p class="left-off"', page)
    report(bob, (posts[3], posts[3]))
    assert CAUGHT_UP in bob.get("/").text


def test_F12_a_page_alone_is_not_seen_where_scripts_run(alice: Member, bob: Member) -> None:
    write(alice, 3)
    for _ in range(3):
        page = with_scripts(bob).get("/").text
        assert CAUGHT_UP not in page and LEFT_HERE not in page


def test_F12_without_scripts_the_pages_that_were_opened_are_seen(alice: Member, bob: Member) -> None:
    posts = write(alice, 45)
    first = bob.get("/")
    assert CAUGHT_UP not in first.text and "left-off-way" not in first.text, "nobody has left off on the first visit"
    assert entries(first.text) == posts[:20]
    new = write(alice, 30)
    assert entries(bob.get("/").text) == new[:20]
    other = with_scripts(on_another_device(bob))
    assert "More is new further down" in other.get("/").text
    assert "35 new" in other.get("/feed/left-off", fragment=True).text, "ten of today, and 25 that nobody opened"


def test_F12_a_browser_that_turns_out_to_run_scripts_has_seen_only_what_it_says(alice: Member, bob: Member) -> None:
    with_scripts(bob).get("/")
    [old] = write(alice, 1)
    bob.get("/"), report(bob, (old, old))
    posts = write(alice, 5)
    device = on_another_device(bob)
    device.get("/")  # its first page: nobody can know
    report(device)
    assert count_of(bob) == "5"
    report(device, (posts[1], posts[0]))
    assert count_of(bob) == "3"


def test_F12_what_was_opened_without_scripts_stays_seen_when_another_device_reports(alice: Member, bob: Member) -> None:
    posts = write(alice, 5)
    bob.get("/")
    other = with_scripts(on_another_device(bob))
    report(other, (posts[0], posts[0]))
    assert CAUGHT_UP in other.get("/").text


def test_F12_devices_that_report_at_once_lose_nothing(app: Flask, alice: Member, bob: Member) -> None:
    posts = write(alice, 16)
    with_scripts(bob).get("/")
    devices = [with_scripts(on_another_device(bob)) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(lambda n: report(devices[n % 4], (posts[n], posts[n])), range(16)))
    assert codes == [204] * 16
    assert CAUGHT_UP in bob.get("/").text


def test_F12_ones_own_posts_are_not_new(alice: Member, bob: Member) -> None:
    with_scripts(bob).get("/")
    posts = write(alice, 2)
    bob.get("/")
    bob.write("my own")
    report(bob, (posts[1], posts[0]))
    bob.write("my own once more")
    assert bob.send(f"/posts/{posts[0]}/repost").status_code == 303
    assert CAUGHT_UP in bob.get("/").text


def test_F12_what_appears_late_between_two_that_were_seen_is_new(
    alice: Member, bob: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ids are drawn in order, and may commit a moment later."""
    monkeypatch.setattr(left_off, "OVERLAP", 5_000 << 12)
    below = alice.write("below")
    late = alice.write("not there yet when the page is opened")
    above = alice.write("above")
    with bob.app.app_context():
        marks.begin(bob.id, below=below - 1)
        stretches = stretches_of([below, above], settled=left_off.settled_now(), is_end=True)
        marks.see(bob.id, stretches, session_id=0)
        db.session.commit()
    assert count_of(with_scripts(bob)) == "1"
    report(bob, (late, late))
    assert CAUGHT_UP in bob.get("/").text


def test_gaps_close_when_nothing_can_appear_in_them_any_more(app: Flask, alice: Member, bob: Member) -> None:
    posts = write(alice, 4)
    with_scripts(bob).get("/")
    report(bob, *((post, post) for post in posts))
    bob.get("/")
    with app.app_context():
        row = db.session.get_one(FeedMark, bob.id)
        assert (row.seen_id, row.seen) == (posts[0], [])


def test_a_new_reader_has_not_missed_what_was_there_before(app: Flask, alice: Member, bob: Member) -> None:
    """Only their first page counts, and what is posted since they joined."""
    write(alice, 30)
    with app.app_context():
        db.session.execute(update(User).where(User.id == bob.id).values(created_at=clock.now()))
        db.session.commit()
    with_scripts(bob)
    assert len(entries(bob.get("/").text)) == 20
    assert "20 new posts" in bob.get("/feed/new", fragment=True).text


@pytest.mark.parametrize("is_private", [True, False])
def test_F12_nobody_is_caught_up_above_older_posts_of_an_account_they_have_just_begun_to_follow(
    app: Flask, alice: Member, bob: Member, carol: Member, is_private: bool
) -> None:
    with app.app_context():
        db.session.execute(update(User).where(User.id == carol.id).values(is_private=is_private))
        db.session.commit()
    with_scripts(bob).get("/")
    write(carol, 2)
    [seen] = write(alice, 1)
    bob.get("/"), report(bob, (seen, seen))
    assert CAUGHT_UP in bob.get("/").text
    bob.follow(carol)
    if is_private:
        assert CAUGHT_UP in bob.get("/").text, "nothing has come in yet"
        assert carol.send("/@bob/request/accept").status_code == 303
    drain(app)
    page = bob.get("/").text
    assert len(entries(page)) == 3 and CAUGHT_UP not in page and page.count(LEFT_HERE) == 1
    assert bob.get("/feed/new", fragment=True).status_code == 204, "they are not new"
    [newer] = write(alice, 1)
    report(bob, (seen + 1, newer))
    assert CAUGHT_UP in bob.get("/").text, "the mark has moved on"


def send(member: Member, path: str, **fields: str) -> None:
    assert member.send(path, fragment=False, **fields).status_code == 303, path


def let_a_mute_end(bob: Member) -> None:
    with bob.app.app_context():
        db.session.execute(update(Mute).values(until=clock.now() - timedelta(seconds=1)))
        forget_ended_mutes()
        db.session.commit()


def let_a_filter_end(bob: Member) -> None:
    with bob.app.app_context():
        db.session.execute(update(WordFilter).values(until=clock.now() - timedelta(seconds=1)))
        note_ended_filters()
        db.session.commit()


def address_of_filter(bob: Member) -> str:
    found: set[str] = set(re.findall(r'"(/settings/filters/\d+)"', bob.get("/settings/filters").text))
    return found.pop()


def block_under_a_followed_tag(bob: Member, carol: Member, post: int) -> None:
    send(bob, "/tags/swans/follow")
    bob.block(carol)


FILTER = {"phrase": "river", "match": "word", "action": "hide", "lasts": "ever"}
Act = Callable[[Member, Member, int], None]
# What hides posts of Carol's from Bob, and what lets them in again.
LETS_IN: dict[str, tuple[Act, Act]] = {
    "a followed tag": (
        lambda bob, carol, post: bob.unfollow(carol),
        lambda bob, carol, post: send(bob, "/tags/swans/follow"),
    ),
    "a louder volume": (
        lambda bob, carol, post: send(bob, "/@carol/volume", volume="no_replies"),
        lambda bob, carol, post: send(bob, "/@carol/volume", volume="all"),
    ),
    "reposts that come up again": (
        lambda bob, carol, post: None,
        lambda bob, carol, post: send(bob, "/settings/feed", repeat_hours="0"),
    ),
    "an unmuted account": (
        lambda bob, carol, post: bob.mute(carol),
        lambda bob, carol, post: bob.unmute(carol),
    ),
    "only reposts muted": (
        lambda bob, carol, post: bob.mute(carol),
        lambda bob, carol, post: send(bob, "/@carol/mute", scope="reposts"),
    ),
    "the end of a mute": (
        lambda bob, carol, post: bob.mute(carol),
        lambda bob, carol, post: let_a_mute_end(bob),
    ),
    "an unblocked account under a tag": (
        block_under_a_followed_tag,
        lambda bob, carol, post: bob.unblock(carol),
    ),
    "an unmuted conversation": (
        lambda bob, carol, post: send(bob, f"/posts/{post}/mute"),
        lambda bob, carol, post: send(bob, f"/posts/{post}/mute/delete"),
    ),
    "another filter": (
        lambda bob, carol, post: send(bob, "/settings/filters", **FILTER),
        lambda bob, carol, post: send(bob, address_of_filter(bob), **FILTER | {"phrase": "lake"}),
    ),
    "a removed filter": (
        lambda bob, carol, post: send(bob, "/settings/filters", **FILTER),
        lambda bob, carol, post: send(bob, f"{address_of_filter(bob)}/delete"),
    ),
    "the end of a filter": (
        lambda bob, carol, post: send(bob, "/settings/filters", **FILTER),
        lambda bob, carol, post: let_a_filter_end(bob),
    ),
}


@pytest.mark.parametrize("how", LETS_IN)
def test_F12_nobody_is_caught_up_above_older_posts_that_they_have_just_let_in(
    app: Flask, alice: Member, bob: Member, carol: Member, how: str
) -> None:
    hide, let_in = LETS_IN[how]
    bob.follow(carol)
    root = alice.write("root")
    post = carol.write("on the river #swans")
    carol.write("an answer", reply_to=root)
    send(carol, f"/posts/{root}/repost")
    hide(bob, carol, post)
    drain(app)
    with_scripts(bob).get("/")
    [seen] = write(alice, 1)
    report(bob, (1, seen))
    before = bob.get("/").text
    assert CAUGHT_UP in before
    let_in(bob, carol, post)
    drain(app)
    page = bob.get("/").text
    assert set(entries(before)) < set(entries(page)), "older posts are there now"
    assert CAUGHT_UP not in page and page.count(LEFT_HERE) == 1
    assert bob.get("/feed/new", fragment=True).status_code == 204, "they are not new"


def test_what_changes_nothing_lets_nothing_in(app: Flask, alice: Member, bob: Member) -> None:
    send(bob, "/tags/swans/follow")
    drain(app)
    with_scripts(bob).get("/")
    [seen] = write(alice, 1)
    report(bob, (1, seen))
    send(bob, "/tags/swans/follow")
    send(bob, "/settings/feed", repeat_hours="72")
    drain(app)
    assert CAUGHT_UP in bob.get("/").text


def test_home_with_scripts_writes_nothing(alice: Member, bob: Member) -> None:
    posts = write(alice, 3)
    with_scripts(bob).get("/")
    report(bob, (posts[2], posts[0]))
    bob.get("/")
    with statements() as sent:
        bob.get("/")
    assert len(sent) == 2


@pytest.mark.parametrize("said", ["x", "5-3", "1", "1-2,", f"1-{10**30}"])
def test_a_report_that_cannot_be_is_refused(bob: Member, said: str) -> None:
    assert bob.send("/feed/seen", seen=said).status_code == 400


@pytest.mark.parametrize(
    ("ago", "words"),
    [
        (timedelta(hours=1), "this afternoon"),
        (timedelta(hours=7), "this morning"),
        (timedelta(hours=20), "yesterday evening"),
        (timedelta(days=3), "Tuesday afternoon"),
        (timedelta(days=20), "25 October"),
    ],
)
def test_a_moment_is_said_as_one_remembers_it(ago: timedelta, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now().replace(year=2026, month=11, day=14, hour=15, minute=0)
    monkeypatch.setattr(clock, "now", lambda: now)
    expected = {"Tuesday afternoon": f"{now - ago:%A} afternoon"}.get(words, words)
    assert part_of_day(now - ago, None) == expected
