"""Drafts: what was typed survives a closed tab, a crash and a session that ran out, and nobody else sees it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Error, Locator, Page, expect
from sqlalchemy import text

from app.extensions import db
from tests.people import PASSWORD, Member
from tests.system.clock import let_pass, stop_the_clock
from tests.system.complaints import Complaints
from tests.system.conftest import Browse, Launch
from tests.system.paused_requests import requests_paused

THOUGHT = "a long thought\n\nin two parts"
KEPT = "Draft restored · Discard"
DRAFTS = "() => Object.keys(localStorage).filter((key) => key.startsWith('draft:'))"


def composer(page: Page) -> Locator:
    return page.locator("#compose")


def line(page: Page) -> Locator:
    return page.locator(".draft-line")


def send(page: Page) -> None:
    page.locator("#composer .button-primary").click()


def posts(page: Page) -> Locator:
    return page.get_by_role("feed").get_by_role("article")


def expect_drafts(page: Page, number: int) -> None:
    """Wait until so many drafts are kept: scripts run a moment after the page is there."""
    page.wait_for_function(f"(number) => ({DRAFTS})().length === number", arg=number)


def end_sessions(app: Flask) -> None:
    with app.app_context():
        db.session.execute(text("UPDATE sessions SET expires_at = now() - interval '1 second'"))
        db.session.commit()


def log_in(page: Page, who: str) -> None:
    page.get_by_label("Handle or email").fill(who)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_a_draft_survives_a_closed_tab(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill(THOUGHT)
    page.close()

    tab = page.context.new_page()
    tab.goto("/")
    expect(composer(tab)).to_have_value(THOUGHT)
    expect(line(tab)).to_have_text(KEPT)
    expect(tab.get_by_text("472 left")).to_be_visible()
    send(tab)
    expect(posts(tab)).to_contain_text(["a long thought"])
    expect(composer(tab)).to_have_value("")
    expect(line(tab)).to_have_count(0)
    expect_drafts(tab, 0)
    tab.reload()
    expect(composer(tab)).to_have_value("")


def test_a_draft_survives_a_tab_that_crashes(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/compose")
    composer(page).press_sequentially("up to the last letter")
    with pytest.raises(Error):
        page.goto("chrome://crash")
    tab = page.context.new_page()
    tab.goto("/compose")
    expect(composer(tab)).to_have_value("up to the last letter")


def test_warning_and_audience_are_kept_too(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("about bees")
    page.locator(".composer-warning summary").click()
    page.locator("#warning").fill("bees")
    page.locator(".composer-audience summary").click()
    page.get_by_text("Only people who follow you").click()
    page.reload()
    expect(composer(page)).to_have_value("about bees")
    expect(page.locator("#warning")).to_be_visible()
    expect(page.locator("#warning")).to_have_value("bees")
    expect(page.locator("[name=audience][value=followers]")).to_be_checked()
    expect(page.locator(".composer-audience summary")).to_contain_text("Followers")
    expect(page.locator(".composer-audience")).not_to_have_attribute("open", "")


def test_each_place_has_a_draft_of_its_own(alice: Member, bob: Member, browse: Browse) -> None:
    first, second = bob.write("first"), bob.write("second")
    places = ["/compose", f"/compose?reply_to={first}", f"/compose?reply_to={second}", f"/compose?quote_of={first}"]
    page = browse(alice)
    for number, place in enumerate(places):
        page.goto(place)
        expect(composer(page)).to_have_value("")
        composer(page).fill(f"text {number}")
    for number, place in enumerate(places):
        page.goto(place)
        expect(composer(page)).to_have_value(f"text {number}")
    page.goto("/")  # the same form as on the page for writing
    expect(composer(page)).to_have_value("text 0")

    page.goto(places[1])
    send(page)
    expect(page.get_by_text("text 1")).to_be_visible()
    expect_drafts(page, 3)
    page.goto(places[1])
    expect(composer(page)).to_have_value("")
    page.goto(places[2])
    expect(composer(page)).to_have_value("text 2")


def test_a_change_to_a_post_is_kept_until_it_is_saved(alice: Member, browse: Browse) -> None:
    post_id = alice.write("as it was")
    page = browse(alice)
    page.goto(f"/posts/{post_id}/edit")
    composer(page).fill("as it will be")
    page.goto(f"/posts/{post_id}/edit")
    expect(composer(page)).to_have_value("as it will be")
    expect(line(page)).to_have_text(KEPT)
    page.get_by_role("button", name="Discard").click()
    expect(composer(page)).to_have_value("as it was")
    composer(page).fill("as it is now")
    send(page)
    expect(page.get_by_text("Post updated.")).to_be_visible()
    expect_drafts(page, 0)
    page.goto(f"/posts/{post_id}/edit")
    expect(composer(page)).to_have_value("as it is now")
    expect(line(page)).to_have_count(0)
    composer(page).fill("as it is now!")
    composer(page).fill("as it is now")
    expect_drafts(page, 0)


def test_an_answer_that_starts_with_names_is_kept_with_what_follows_them(
    alice: Member, bob: Member, browse: Browse
) -> None:
    post_id = bob.write("just us two, @alice", audience="mentioned")
    page = browse(alice)
    for path in (f"/compose?reply_to={post_id}", f"/@bob/{post_id}"):
        page.goto(path)
        expect(composer(page)).to_have_value("@bob ")
        expect(line(page)).to_have_count(0)
        composer(page).fill("@bob yes")
        page.reload()
        expect(composer(page)).to_have_value("@bob yes")
        page.get_by_role("button", name="Discard").click()
        expect(composer(page)).to_have_value("@bob ")
        expect_drafts(page, 0)


def test_a_draft_can_be_discarded_and_that_be_undone(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill(THOUGHT)
    page.reload()
    page.get_by_role("button", name="Discard").click()
    expect(composer(page)).to_have_value("")
    expect(composer(page)).to_be_focused()
    expect(page.get_by_text("500 left")).to_be_visible()
    expect_drafts(page, 0)
    page.get_by_role("button", name="Undo").click()
    expect(composer(page)).to_have_value(THOUGHT)
    page.reload()
    expect(composer(page)).to_have_value(THOUGHT)
    page.get_by_role("button", name="Discard").click()
    page.reload()
    expect(composer(page)).to_have_value("")
    expect(line(page)).to_have_count(0)


def test_a_text_that_is_deleted_by_hand_is_no_draft(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill(THOUGHT)
    page.reload()
    composer(page).fill("")
    expect_drafts(page, 0)
    page.reload()
    expect(line(page)).to_have_count(0)


def test_the_page_for_writing_forgets_a_draft_when_it_is_posted_and_not_before(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    page.goto("/compose")
    composer(page).fill("x" * 501)
    send(page)
    expect(page.get_by_role("alert")).to_contain_text("too long")
    expect_drafts(page, 1)
    page.goto("/compose")  # without sending it again
    expect(composer(page)).to_have_value("x" * 501)
    composer(page).fill("x" * 500)
    send(page)
    expect(posts(page)).to_have_count(1)
    expect_drafts(page, 0)
    expect(composer(page)).to_have_value("")


def test_a_refused_text_that_is_sent_unchanged_in_the_end_leaves_no_draft(
    alice: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("422 /posts")
    page = browse(alice)
    for path in ("/", "/compose"):
        page.goto(path)
        page.locator("#warning").evaluate("(field) => field.closest('details').open = true")
        composer(page).fill(f"short enough {path}")
        page.locator("#warning").fill("w" * 101)
        send(page)
        expect(page.locator("#warning-error")).to_be_visible()
        page.locator("#warning").fill("w")
        send(page)
        expect(page.get_by_role("article").first).to_contain_text("w")
        expect(composer(page)).to_have_value("")
        expect_drafts(page, 0)


def test_a_server_that_is_away_costs_no_draft(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("503 /posts")
    page = browse(alice)
    page.route("**/posts", lambda route: route.fulfill(status=503, body="away"), times=1)
    page.goto("/compose")
    composer(page).fill(THOUGHT)
    send(page)
    expect(page.get_by_text("away")).to_be_visible()
    page.goto("/")
    expect(composer(page)).to_have_value(THOUGHT)


def test_two_tabs_do_not_write_over_each_other(alice: Member, browse: Browse) -> None:
    one = browse(alice)
    two = one.context.new_page()
    one.goto("/")
    two.goto("/")
    composer(one).fill("written in the first")
    composer(two).fill("written in the second")
    one.close()
    two.close()
    tab = browse_again(two)
    expect(composer(tab)).to_have_value("written in the second")  # the newest
    send(tab)
    expect(posts(tab)).to_have_count(1)
    expect(composer(tab)).to_have_value("")
    tab.reload()
    expect(composer(tab)).to_have_value("written in the first")


def browse_again(page: Page) -> Page:
    """Open a new tab in the same browser."""
    tab = page.context.new_page()
    tab.goto("/")
    return tab


def test_posting_in_one_tab_leaves_the_draft_of_another(alice: Member, browse: Browse) -> None:
    one = browse(alice)
    one.goto("/")
    composer(one).fill("begun here")
    two = browse_again(one)
    expect(composer(two)).to_have_value("begun here")
    composer(two).fill("begun here, and longer")
    send(one)
    expect(posts(one)).to_have_count(1)
    expect(composer(one)).to_have_value("")  # what the other tab holds stays there
    two.close()
    expect(composer(browse_again(one))).to_have_value("begun here, and longer")


def test_going_on_in_the_first_tab_keeps_both(alice: Member, browse: Browse) -> None:
    one = browse(alice)
    one.goto("/")
    composer(one).fill("begun here")
    two = browse_again(one)
    composer(one).fill("begun here, first")
    composer(two).fill("begun here, second")
    send(two)
    expect(posts(two)).to_have_count(1)
    one.close()
    expect(composer(browse_again(two))).to_have_value("begun here, first")


def test_a_draft_of_one_account_is_never_shown_to_another(
    alice: Member, bob: Member, browse: Browse, app: Flask
) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("between me and my diary")
    end_sessions(app)
    page.goto("/login")
    log_in(page, "bob")
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(composer(page)).to_have_value("")
    composer(page).fill("of Bob's")
    for _ in range(2):  # nor by going back to a page that she saw
        page.go_back()
    expect(page.locator("textarea")).not_to_have_value("between me and my diary")
    end_sessions(app)
    page.goto("/login")
    log_in(page, "alice")
    expect(composer(page)).to_have_value("between me and my diary")


def test_back_to_a_page_that_the_browser_kept_shows_another_account_nothing(
    alice: Member, bob: Member, launch: Launch, browse: Browse, app: Flask
) -> None:
    """Chromium keeps whole pages for the way back, unless a test tells it not to; here it may."""
    with launch(ignore_default_args=["--disable-back-forward-cache"]) as browser:
        page = browse(alice, browser=browser)
        page.route("**/feed/new?*", lambda route: route.fulfill(status=204))  # what the kept page would ask at once
        page.goto("/")
        composer(page).fill("between me and my diary")
        end_sessions(app)
        page.goto("/login")
        log_in(page, "bob")
        expect(page.get_by_role("heading", name="Home")).to_be_visible()
        page.wait_for_load_state()  # until here, nobody but Alice has been
        page.evaluate("() => history.go(-2)")
        expect(page.locator(".me-card")).to_contain_text("@bob")
        expect(composer(page)).to_have_value("")


def test_a_log_out_removes_drafts(alice: Member, bob: Member, browse: Browse) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("not for this computer")
    other = page.context.new_page()
    other.goto("/compose")
    composer(page).fill("not for this computer, really")
    page.get_by_role("button", name="Log out").click()
    question = page.get_by_role("dialog", name="Log out?")
    question.get_by_role("button", name="Cancel").click()
    expect_drafts(page, 1)
    page.get_by_role("button", name="Log out").click()
    question.get_by_role("button", name="Log out").click()
    expect(page.get_by_text("You’ve logged out.")).to_be_visible()
    composer(other).fill("typed after that in a tab that was left open")
    assert page.evaluate("() => JSON.stringify(localStorage)") == "{}"


def test_a_deleted_account_leaves_no_drafts(alice: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("422 /settings/delete")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("last words")
    for password, left in (("wrong", 1), (PASSWORD, 0)):
        page.goto("/settings/delete")
        page.get_by_label("Your password").fill(password)
        page.get_by_role("button", name="Delete my account").click()
        expect(page.get_by_text("not your password" if left else "Your account has been deleted")).to_be_visible()
        expect_drafts(page, left)


@pytest.mark.parametrize(("days", "left"), [(29, 1), (31, 0)])
def test_old_drafts_are_dropped(alice: Member, browse: Browse, days: int, left: int) -> None:
    page = browse(alice)
    page.goto("/")
    composer(page).fill("from long ago")
    page.evaluate(
        f"""() => {{
          const [key] = ({DRAFTS})(), draft = JSON.parse(localStorage[key]);
          localStorage[key] = JSON.stringify({{ ...draft, at: Date.now() - {days} * 24 * 60 * 60 * 1000 }});
        }}"""
    )
    page.goto("/explore")
    expect_drafts(page, left)


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "{",
        "null",
        "5",
        '{"at": 1}',
        '{"at": "x", "values": {}}',
        '{"at": 9e15, "values": 7}',
        '{"at": 9e15, "values": {}, "images": 7}',
    ],
)
def test_nonsense_in_the_storage_is_swept_out(alice: Member, browse: Browse, nonsense: str) -> None:
    page = browse(alice)
    page.goto("/explore")
    page.evaluate("(value) => localStorage.setItem('draft:alice:post:x', value)", nonsense)
    page.goto("/")
    expect(composer(page)).to_have_value("")
    expect_drafts(page, 0)


def test_a_browser_without_storage_can_write_all_the_same(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden') } })")
    page.goto("/")
    composer(page).fill("no trace")
    send(page)
    expect(posts(page)).to_contain_text(["no trace"])


def test_a_session_that_ran_out_costs_nothing_with_htmx(
    alice: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill(THOUGHT)
    end_sessions(app)
    send(page)
    expect(page.locator("#toasts")).to_contain_text("what you typed is still here")
    expect(composer(page)).to_have_value(THOUGHT)
    page.goto("/login")  # instead of another tab
    log_in(page, "alice")
    expect(composer(page)).to_have_value(THOUGHT)
    expect(line(page)).to_have_text(KEPT)
    send(page)
    expect(posts(page)).to_contain_text(["a long thought"])
    expect_drafts(page, 0)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_session_that_ran_out_costs_nothing_on_the_page_for_writing(
    alice: Member, browse: Browse, complaints: Complaints, app: Flask, scripts: bool
) -> None:
    complaints.expect("401 /posts", "422 /login")
    page = browse(alice, scripts=scripts)
    page.goto("/compose")
    composer(page).fill(THOUGHT)
    end_sessions(app)
    send(page)
    expect(page.get_by_text("You’ve been logged out, so this hasn’t been posted yet.")).to_be_visible()
    page.get_by_label("Handle or email").fill("alice")
    page.get_by_label("Password").fill("mistyped")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("Wrong handle, email or password.")).to_be_visible()
    log_in(page, "alice")
    expect(composer(page)).to_have_value(THOUGHT)
    expect(line(page)).to_have_count(0)
    assert alice_has(app, alice) == 0
    send(page)
    expect(posts(page)).to_contain_text(["a long thought"])
    assert alice_has(app, alice) == 1
    page.goto("/")
    expect(composer(page)).to_have_value("")


def alice_has(app: Flask, alice: Member) -> int:
    """Count what Alice has posted; her session is over, so a new one looks."""
    return len(Member(app, alice.id, "alice").feed())


def test_from_home_without_javascript_a_session_that_ran_out_costs_nothing(
    alice: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts")
    page = browse(alice, scripts=False)
    page.goto("/")
    composer(page).fill(THOUGHT)
    end_sessions(app)
    send(page)
    log_in(page, "alice")
    expect(composer(page)).to_have_value(THOUGHT)
    send(page)
    expect(posts(page)).to_contain_text(["a long thought"])


def test_a_page_left_open_does_not_post_in_the_name_of_whoever_logs_in_next(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints, app: Flask
) -> None:
    complaints.expect("401 /posts")
    page = browse(alice)
    page.goto("/")
    composer(page).fill("in my own name")
    end_sessions(app)
    send(page)
    expect(page.locator("#toasts")).to_contain_text("You’ve been logged out.")
    tab = page.context.new_page()
    tab.goto("/login")
    log_in(tab, "bob")
    expect(tab.get_by_role("heading", name="Home")).to_be_visible()
    expect(composer(tab)).to_have_value("")
    send(page)
    expect(page.locator("#toasts")).to_contain_text("You’re now logged in as @bob. Log in as @alice to send this.")
    expect(composer(page)).to_have_value("in my own name")
    assert Member(app, bob.id, "bob").feed("/@bob") == []


def test_while_a_post_is_on_its_way_its_draft_is_still_there(alice: Member, browse: Browse) -> None:
    page = browse(alice)
    other = page.context.new_page()  # a page on its way elsewhere does not answer
    other.goto("/explore")
    for path in ("/", "/compose"):
        page.goto(path)
        composer(page).fill(f"from {path}")
        with requests_paused(page, "**/posts"):
            with page.expect_request("**/posts"):
                page.evaluate("() => setTimeout(() => document.querySelector('#composer .button-primary').click(), 0)")
            [key] = other.evaluate(DRAFTS)
            assert f"from {path}" in other.evaluate("(key) => localStorage[key]", key)
        expect(posts(page).first).to_contain_text(f"from {path}")
        expect_drafts(other, 0)
        page.unroute("**/posts")


def test_a_restored_draft_that_ends_in_a_mention_offers_nothing_by_itself(
    alice: Member, bob: Member, browse: Browse, join: Callable[..., Member]
) -> None:
    page = browse(alice)
    page.clock.install()
    page.goto("/compose")
    composer(page).fill("thanks @bo")
    page.reload()
    expect(composer(page)).to_have_value("thanks @bo")
    stop_the_clock(page)
    with requests_paused(page, "**/complete?q=*") as requests:
        let_pass(page, 1000)
        assert requests == []
    expect(page.get_by_role("option")).to_have_count(0)
