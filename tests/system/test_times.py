"""How long ago something was moves on while one reads, and a repost says when it was reposted."""

from __future__ import annotations

from flask import Flask
from playwright.sync_api import expect

from tests.outbox import drain
from tests.people import Member
from tests.system.conftest import Browse


def test_now_becomes_a_minute_and_then_an_hour(alice: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(alice)
    page.clock.install()
    page.goto("/")
    time = page.locator(".post-time time")
    expect(time).to_have_text("now")
    page.clock.fast_forward("01:30")
    expect(time).to_have_text("1m")
    page.clock.fast_forward("01:00:00")
    expect(time).to_have_text("1h")


def test_a_day_is_one_of_the_readers_own(alice: Member, browse: Browse) -> None:
    alice.write("hello")
    page = browse(alice, timezone_id="Pacific/Kiritimati")  # where the day begins
    page.clock.install()
    page.goto("/")
    time = page.locator(".post-time time")
    own = time.evaluate("(time) => new Date(time.dateTime).getDate()")
    page.clock.fast_forward(8 * 24 * 60 * 60 * 1000)
    expect(time).to_contain_text(f"{own} ")


def test_a_repost_says_when_it_was_made_and_when_the_post_was_written(
    app: Flask, alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    post = carol.write("worth it")
    alice.send(f"/posts/{post}/repost")
    drain(app)
    page = browse(bob)
    page.goto("/")
    card = page.get_by_role("article")
    expect(card.locator(".reposted-at")).to_have_text("now")
    expect(card.locator(".post-time time")).to_have_text("now")
    written, reposted = (card.locator(part).get_attribute("datetime") for part in (".post-time time", ".reposted-at"))
    assert written and reposted and written < reposted
