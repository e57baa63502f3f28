"""A browser tells once in which time zone it is; pages that the server cannot know the zone of are put right by it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from flask import Flask
from playwright.sync_api import Page, Request, expect
from sqlalchemy import insert, update

from app.accounts.models import User
from app.core.ids import id_at
from app.extensions import db
from app.posts.models import Post
from tests.accounts.test_time_zone import KATHMANDU, KIRITIMATI, LOS_ANGELES, kept
from tests.people import PASSWORD, Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse

NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)
DAYS = {KIRITIMATI: "11 Feb", KATHMANDU: "10 Feb", LOS_ANGELES: "10 Feb"}
MOMENTS = {
    KIRITIMATI: "11 February 2026, 02:00",
    KATHMANDU: "10 February 2026, 17:45",
    LOS_ANGELES: "10 February 2026, 04:00",
}


@pytest.fixture
def post(app: Flask, alice: Member) -> int:
    """Let Alice have written at noon of a day in winter, and have joined when it was January in the west."""
    post_id = id_at(NOON) + 1
    with app.app_context():
        db.session.execute(insert(Post).values(id=post_id, author_id=alice.id, text="old news"))
        joined = datetime(2026, 2, 1, 3, tzinfo=UTC)
        db.session.execute(update(User).where(User.id == alice.id).values(created_at=joined))
        db.session.commit()
    return post_id


def guesses(page: Page) -> list[str]:
    """Return a list of what the page guesses from now on."""
    heard: list[str] = []

    def hear(request: Request) -> None:
        if request.url.endswith("/guess"):
            heard.append(request.post_data or "")

    page.on("request", hear)
    return heard


def open_guessing(page: Page, path: str) -> None:
    with page.expect_response("**/settings/time-zone/guess") as response:
        page.goto(path)
    assert response.value.status == 204


def test_a_browser_says_once_where_it_is(app: Flask, bob: Member, browse: Browse) -> None:
    page = browse(bob, timezone_id=KATHMANDU)
    heard = guesses(page)
    open_guessing(page, "/explore")
    assert kept(app, bob) == KATHMANDU
    for path in ("/", "/explore", "/settings/time-zone"):
        page.goto(path)
        expect(page.locator("body")).to_have_attribute("data-time-zone", KATHMANDU)
    expect(page.get_by_label("Your time zone")).to_have_value(KATHMANDU)
    assert len(heard) == 1


def test_another_device_says_nothing_and_reads_by_the_clock_of_the_account(
    app: Flask, bob: Member, post: int, browse: Browse
) -> None:
    open_guessing(browse(bob, timezone_id=KIRITIMATI), "/explore")
    page = browse(bob, timezone_id=LOS_ANGELES)
    heard = guesses(page)
    page.goto("/")
    expect(page.locator(".post-time time")).to_have_text(re.compile("^11 Feb"))
    expect(page.locator(".post-time time")).to_have_attribute("title", MOMENTS[KIRITIMATI])
    page.goto(f"/@alice/{post}")
    expect(page.locator(".post-when time")).to_have_text(MOMENTS[KIRITIMATI])
    assert kept(app, bob) == KIRITIMATI and not heard


def test_a_new_account_reads_by_its_own_clock_from_the_first_page_on(app: Flask, post: int, browse: Browse) -> None:
    page = browse(timezone_id=KIRITIMATI)
    page.goto("/signup")
    for label, words in {"Handle": "newcomer", "Display name": "New", "Email": "n@example.org"}.items():
        page.get_by_label(label, exact=True).fill(words)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    with page.expect_response("**/settings/time-zone/guess"):
        page.get_by_role("button", name="Sign up").last.click()
    page.goto(f"/@alice/{post}")
    expect(page.locator(".post-when time")).to_have_text(MOMENTS[KIRITIMATI])


@pytest.mark.parametrize("scripts", [True, False])
def test_a_choice_holds_and_is_never_guessed_away(
    app: Flask, bob: Member, post: int, browse: Browse, scripts: bool
) -> None:
    page = browse(bob, scripts=scripts, width=320)
    page.goto("/settings/time-zone")
    page.get_by_label("Your time zone").select_option(label="Kiritimati")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".notice")).to_contain_text("Time zone saved.")
    elsewhere = browse(bob, scripts=scripts, timezone_id=LOS_ANGELES)
    heard = guesses(elsewhere)
    elsewhere.goto("/")
    expect(elsewhere.locator(".post-time time")).to_have_text(re.compile("^11 Feb"))
    elsewhere.goto(f"/@alice/{post}")
    expect(elsewhere.locator(".post-when time")).to_have_text(MOMENTS[KIRITIMATI])
    elsewhere.goto("/feed/jump?date=2026-02-11")
    expect(elsewhere.get_by_text("Showing posts from 11 February 2026 and earlier.")).to_be_visible()
    assert kept(app, bob) == KIRITIMATI and not heard


@pytest.mark.parametrize("zone", list(DAYS))
def test_a_stranger_reads_by_the_clock_of_their_browser(zone: str, post: int, browse: Browse) -> None:
    page = browse(timezone_id=zone)
    heard = guesses(page)
    page.goto("/explore")
    expect(page.locator(".post-time time")).to_have_text(re.compile(f"^{DAYS[zone]}"))
    expect(page.locator(".post-time time")).to_have_attribute("title", MOMENTS[zone])
    page.goto(f"/@alice/{post}")
    expect(page.locator(".post-when time")).to_have_text(MOMENTS[zone])
    page.goto("/@alice")
    expect(page.locator(".profile-since")).to_contain_text(f"Joined {'January' if zone == LOS_ANGELES else 'February'}")
    page.goto("/@alice/jump?date=2026-02-12")
    expect(page.locator("#further-down")).to_contain_text(MOMENTS[zone].split(",")[0])
    assert not heard


def test_without_scripts_a_stranger_reads_utc_and_is_told_so(post: int, browse: Browse) -> None:
    page = browse(scripts=False, timezone_id=KIRITIMATI)
    page.goto(f"/@alice/{post}")
    expect(page.locator(".post-when time")).to_have_text("10 February 2026, 12:00 UTC")


@pytest.mark.parametrize(("date", "is_there"), [("2026-02-10", False), ("2026-02-11", True)])
def test_a_stranger_jumps_to_a_day_of_their_own(date: str, is_there: bool, post: int, browse: Browse) -> None:
    page = browse(timezone_id=KIRITIMATI)
    page.goto("/@alice")
    page.locator(".profile-jump summary").click()
    page.get_by_label("Jump to a date").fill(date)
    page.get_by_role("button", name="Go").click()
    expect(page.locator("#further-down")).to_be_visible()
    expect(page.get_by_role("article")).to_have_count(1 if is_there else 0)


def test_what_a_page_loads_later_is_in_the_zone_too(app: Flask, alice: Member, browse: Browse) -> None:
    with app.app_context():
        rows = [{"id": id_at(NOON) + number, "author_id": alice.id, "text": "news"} for number in range(30)]
        db.session.execute(insert(Post), rows)
        db.session.commit()
    page = browse(timezone_id=KIRITIMATI)
    page.goto("/@alice")
    page.get_by_role("link", name="Older").scroll_into_view_if_needed()
    expect(page.get_by_role("article")).to_have_count(30)
    expect(page.locator(".post-time time")).to_have_text([re.compile("^11 Feb")] * 30)


def test_a_zone_that_the_site_does_not_know_is_told_once(bob: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /settings/time-zone/guess")
    page = browse(bob, timezone_id=KATHMANDU)
    page.route("**/settings/time-zone/guess", lambda route: route.fulfill(status=422))
    heard = guesses(page)
    with page.expect_response("**/settings/time-zone/guess"):
        page.goto("/explore")
    page.wait_for_function("localStorage.getItem('time-zone-refused')")
    page.goto("/")
    expect(page.locator("body")).to_have_attribute("data-time-zone", "")
    page.wait_for_load_state("networkidle")
    assert len(heard) == 1


def test_a_browser_that_does_not_know_the_zone_goes_by_its_own(
    app: Flask, bob: Member, post: int, browse: Browse
) -> None:
    page = browse(bob, timezone_id=KATHMANDU)
    page.add_init_script("""
      const { DateTimeFormat } = Intl;
      Intl.DateTimeFormat = function (language, options) {
        if (options?.timeZone) throw new RangeError("Invalid time zone");
        return new DateTimeFormat(language, options);
      };
    """)
    with app.app_context():
        db.session.execute(update(User).where(User.id == bob.id).values(time_zone=KIRITIMATI))
        db.session.commit()
    page.goto(f"/@alice/{post}")
    expect(page.locator(".post-when time")).to_have_text(MOMENTS[KATHMANDU])
