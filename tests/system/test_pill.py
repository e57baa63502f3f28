"""N new posts: the number is what a click shows, it comes while somebody looks, and it does not move the reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Route, expect

from tests.people import Member
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.looks import check
from tests.system.reading import (
    BETWEEN_QUESTIONS,
    look_away,
    look_back,
    older,
    open_home,
    pill,
    posts,
    questions,
    shown,
    unread,
    wait_for_question,
)
from tests.system.test_scrolling import write_many

BACK = "Back to where you were"


def test_F5_number_is_exact_and_a_click_shows_these_once_and_in_order(
    alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    old = alice.write("old")
    page = open_home(browse, bob)
    title = page.title()
    answer = wait_for_question(page)
    assert (answer.status, answer.body()) == (204, b"")
    expect(pill(page)).to_have_count(0)

    first = alice.write("first")
    carol.write("somebody whom Bob does not follow")
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    expect(unread(page)).to_have_text("1")
    second = alice.write("second")
    wait_for_question(page)
    expect(pill(page)).to_have_text("2 new posts")
    expect(page).to_have_title(f"(2) {title}")
    expect(unread(page)).to_have_text("2")

    pill(page).click()
    expect(posts(page)).to_have_count(3)
    assert shown(page) == [second, first, old]
    expect(pill(page)).to_have_count(0)
    expect(page).to_have_title(title)
    expect(unread(page)).to_be_hidden()
    assert wait_for_question(page).status == 204
    third = alice.write("third")
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    pill(page).click()
    expect(posts(page)).to_have_count(4)
    assert shown(page) == [third, second, first, old]


def test_F5_ones_own_posts_are_not_news(alice: Member, bob: Member, browse: Browse) -> None:
    page = open_home(browse, bob)
    page.get_by_label("Write a post").fill("my own")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(posts(page)).to_have_count(1)
    assert wait_for_question(page).status == 204
    alice.write("hers")
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    pill(page).click()
    expect(posts(page)).to_contain_text(["hers", "my own"])


def test_F5_what_one_wrote_in_another_tab_is_counted_and_shown_once(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hers")
    page = open_home(browse, bob)
    page.get_by_label("Write a post").fill("on this page")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(posts(page)).to_have_count(2)
    page.get_by_role("article").filter(has_text="hers").get_by_role("link", name="Reply").click()
    page.get_by_label("Write your reply").fill("an answer over this page")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.get_by_text("Reply sent")).to_be_visible()
    shown = ["on this page", "hers", "an answer over this page"]
    expect(posts(page)).to_contain_text(shown)
    bob.write("in another tab")
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    pill(page).click()
    expect(posts(page)).to_contain_text(["in another tab", *shown])
    assert wait_for_question(page).status == 204
    page.reload()
    expect(posts(page)).to_contain_text(["in another tab", "hers", "an answer over this page", "on this page"])


def test_F5_a_reply_that_has_no_place_on_the_page_is_new_to_it(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("hers")
    assert bob.send("/settings/feed", repeat_hours=72, conversations="apart").status_code == 303
    page = open_home(browse, bob)
    page.get_by_role("article").filter(has_text="hers").get_by_role("link", name="Reply").click()
    page.get_by_label("Write your reply").fill("an answer over this page")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.get_by_text("Reply sent")).to_be_visible()
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    pill(page).click()
    expect(posts(page)).to_contain_text(["an answer over this page", "hers"])


def test_F3_F5_what_was_deleted_or_muted_after_it_was_counted_is_not_shown(
    alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    bob.follow(carol)
    page = open_home(browse, bob)
    stays, regretted = alice.write("stays"), alice.write("regretted")
    carol.write("muted in a moment")
    wait_for_question(page)
    expect(pill(page)).to_have_text("3 new posts")
    alice.delete(regretted)
    bob.mute(carol)
    pill(page).click()
    expect(posts(page)).to_have_count(1)
    assert shown(page) == [stays]


def test_F3_F5_pill_goes_when_nothing_of_what_it_counted_is_left(
    alice: Member, bob: Member, carol: Member, browse: Browse
) -> None:
    bob.follow(carol)
    page = open_home(browse, bob)
    regretted = alice.write("regretted")
    carol.write("muted in a moment")
    wait_for_question(page)
    expect(pill(page)).to_have_text("2 new posts")
    bob.mute(carol)
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")
    alice.delete(regretted)
    assert wait_for_question(page).status == 204
    expect(pill(page)).to_have_count(0)
    expect(unread(page)).to_be_hidden()


@pytest.mark.parametrize(("count", "words"), [(99, "99"), (101, "99+")])
def test_F2_F5_however_many_are_new_a_click_leaves_no_gap(
    count: int, words: str, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    old = alice.write("old")
    page = open_home(browse, bob)
    new = write_many(app, alice, count)
    wait_for_question(page)
    expect(pill(page)).to_have_text(f"{words} new posts")
    expect(unread(page)).to_have_text(words)
    expect(page).to_have_title(f"({words}) Home · Freshet")
    pill(page).click()
    expect(pill(page)).to_have_count(0)
    expect(page.locator(f"#post-{new[0]}")).to_be_visible()
    expect(page).to_have_title("Home · Freshet")
    while older(page).count():
        seen = posts(page).count()
        older(page).scroll_into_view_if_needed()
        expect(posts(page)).not_to_have_count(seen)
    assert shown(page) == [*new, old]


def test_F5_pill_is_announced_politely_and_once(alice: Member, bob: Member, browse: Browse) -> None:
    page = open_home(browse, bob)
    place = page.get_by_role("main").get_by_role("status")
    expect(place).to_have_attribute("aria-live", "polite")  # it is there before there is anything to say
    expect(place).to_have_text("")
    alice.write("new")
    wait_for_question(page)
    expect(place).to_have_text("1 new post")
    said = pill(page).element_handle()
    pill(page).focus()
    wait_for_question(page)
    page.clock.run_for(100)
    assert said.evaluate("(pill) => pill.isConnected"), "what says the same again is announced again"
    expect(pill(page)).to_be_focused()
    alice.write("newer")
    wait_for_question(page)
    expect(place).to_have_text("2 new posts")
    expect(pill(page)).to_be_focused()


def test_F5_pill_is_a_plain_link_underneath(alice: Member, bob: Member, browse: Browse, tabbed: Browser) -> None:
    old = alice.write("old")
    page = open_home(browse, bob, browser=tabbed)
    new = alice.write("new")
    wait_for_question(page)
    with page.context.expect_page() as opened:
        pill(page).click(modifiers=["ControlOrMeta"])
    expect(posts(opened.value)).to_have_count(2)
    assert shown(opened.value) == [new, old]
    without_scripts = browse(bob, scripts=False)
    for address in (pill(page).get_attribute("href"), pill(page).get_attribute("hx-get")):
        without_scripts.goto(address or "")
        assert shown(without_scripts) == [new, old]
        assert without_scripts.url.endswith("/")


# Safari does not hold on to what is read when something is put above it.
@pytest.mark.parametrize("browser_helps", [True, False])
def test_F5_reader_who_has_scrolled_down_is_not_moved(
    browser_helps: bool, app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 40)
    page = open_home(browse, bob)
    if not browser_helps:
        page.evaluate("() => { document.documentElement.style.overflowAnchor = 'none' }")
    older(page).scroll_into_view_if_needed()
    expect(posts(page)).to_have_count(40)
    looked_at = page.locator(f"#post-{written[15]}")
    looked_at.evaluate("(post) => post.scrollIntoView({ block: 'center' })")
    before = looked_at.bounding_box()
    arrived = write_many(app, alice, 3)
    wait_for_question(page)
    expect(pill(page)).to_be_in_viewport()
    assert looked_at.bounding_box() == before
    pill(page).click()
    expect(posts(page)).to_have_count(43)
    page.clock.run_for(100)
    expect(page.locator(f"#post-{arrived[-1]}")).to_be_in_viewport(ratio=1)
    assert shown(page) == arrived + written
    page.get_by_role("button", name=BACK).click()
    expect(looked_at).to_be_in_viewport(ratio=1)
    assert looked_at.bounding_box() == before
    expect(page.get_by_role("button", name=BACK)).to_have_count(0)


def test_the_way_back_ends_where_the_reader_has_come_back_by_themselves(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 40)
    page = open_home(browse, bob)
    older(page).scroll_into_view_if_needed()
    expect(posts(page)).to_have_count(40)
    page.locator(f"#post-{written[15]}").evaluate("(post) => post.scrollIntoView({ block: 'center' })")
    write_many(app, alice, 3)
    wait_for_question(page)
    pill(page).click()
    way_back = page.get_by_role("button", name=BACK)
    expect(way_back).to_be_visible()
    page.locator(f"#post-{written[5]}").evaluate("(post) => post.scrollIntoView({ block: 'start' })")
    expect(way_back).to_be_visible()
    page.locator(f"#post-{written[20]}").evaluate("(post) => post.scrollIntoView({ block: 'start' })")
    expect(way_back).to_have_count(0)


def test_where_there_are_too_many_for_the_page_the_way_back_leads_to_the_page_before(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    written = write_many(app, alice, 40)
    page = browse(bob)
    page.goto("/")
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    read = page.locator(f"#post-{written[12]}")
    read.evaluate("(post) => scrollTo({ top: scrollY + post.getBoundingClientRect().top - 200, behavior: 'instant' })")
    write_many(app, alice, 101)
    with page.expect_response("**/feed/new?*"):
        page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    pill(page).click()
    way_back = page.get_by_role("button", name=BACK)
    expect(way_back).to_be_visible()
    expect(read).to_have_count(0)
    way_back.click()
    expect(read).to_be_in_viewport(ratio=1)
    box = read.bounding_box()
    assert box and abs(box["y"] - 200) < 2
    expect(way_back).to_have_count(0)


def test_click_leads_to_the_first_post_of_the_last_item_that_has_come(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    write_many(app, alice, 20)
    page = open_home(browse, bob)
    page.set_viewport_size({"width": 360, "height": 640})
    root = alice.write("the oldest, and with a reply")
    last = write_many(app, alice, 12)[-1]
    alice.write("the newest", reply_to=root)
    wait_for_question(page)
    pill(page).click()
    expect(posts(page)).to_have_count(34)
    expect(page.locator(f"#post-{last}")).to_be_in_viewport(ratio=1)
    expect(page.locator(f"#post-{root}")).not_to_be_in_viewport()


def test_click_leads_to_the_oldest_of_many_new_posts_on_a_small_screen(
    app: Flask, alice: Member, bob: Member, browse: Browse
) -> None:
    write_many(app, alice, 20)
    page = open_home(browse, bob)
    page.set_viewport_size({"width": 360, "height": 640})
    new = write_many(app, alice, 24)
    wait_for_question(page)
    pill(page).click()
    expect(posts(page)).to_have_count(44)
    expect(page.locator(f"#post-{new[-1]}")).to_be_in_viewport(ratio=1)
    expect(page.locator(f"#post-{new[0]}")).not_to_be_in_viewport()


def test_who_likes_begins_at_the_top_of_new_posts(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    assert bob.send("/settings/feed", repeat_hours="72", start="top").status_code == 303
    assert re.search(r'value="top" checked', bob.get("/settings/feed").text)
    written = write_many(app, alice, 20)
    page = open_home(browse, bob)
    page.locator(f"#post-{written[15]}").scroll_into_view_if_needed()
    new = write_many(app, alice, 24)
    wait_for_question(page)
    pill(page).click()
    expect(page.locator(f"#post-{new[0]}")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0
    page.get_by_role("button", name=BACK).click()
    expect(page.locator(f"#post-{written[15]}")).to_be_in_viewport()


def test_F5_reader_at_the_top_sees_what_is_new(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    write_many(app, alice, 20)
    page = open_home(browse, bob)
    new = alice.write("new")
    wait_for_question(page)
    pill(page).click()
    expect(page.locator(f"#post-{new}")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => scrollY") == 0


def test_F5_keyboard_goes_on_from_the_first_new_post(alice: Member, bob: Member, browse: Browse) -> None:
    alice.write("old")
    page = open_home(browse, bob)
    alice.write("new")
    alice.write("newest")
    wait_for_question(page)
    page.get_by_role("button", name="Post", exact=True).focus()
    page.keyboard.press("Tab")
    expect(pill(page)).to_be_focused()
    page.keyboard.press("Enter")
    expect(posts(page)).to_have_count(3)
    expect(posts(page).nth(1)).to_be_focused()  # the oldest of them
    page.keyboard.press("k")
    expect(posts(page).first).to_be_focused()


def test_F5_page_asks_every_15_seconds_while_somebody_looks_and_at_once_when_they_look_again(
    alice: Member, bob: Member, browse: Browse
) -> None:
    page = open_home(browse, bob)
    with page.expect_response("**/feed/new?*"):  # from here on, only the test lets time pass
        page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    asked = questions(page)
    for count in (1, 2, 3):
        with page.expect_response("**/feed/new?*"):
            page.clock.run_for(BETWEEN_QUESTIONS)
        assert len(asked) == count
    look_away(page)
    alice.write("unseen")
    page.clock.run_for(10 * BETWEEN_QUESTIONS)
    assert len(asked) == 3
    expect(pill(page)).to_have_count(0)
    look_back(page)
    expect(pill(page)).to_have_text("1 new post")
    assert len(asked) == 4


def saying(words: str) -> Callable[[ConsoleMessage], bool]:
    return lambda message: words in message.text


def test_F5_question_that_fails_bothers_nobody(
    alice: Member, bob: Member, browse: Browse, complaints: Complaints
) -> None:
    complaints.expect("503 /feed/new", "net::ERR_FAILED /feed/new", "console: htmx:")
    page = open_home(browse, bob)
    answers = iter(("unavailable", "disconnected"))

    def fail(route: Route) -> None:
        if next(answers) == "unavailable":
            route.fulfill(status=503, content_type="text/plain", body="The database isn’t responding right now.")
        else:
            route.abort()

    page.route("**/feed/new?*", fail, times=2)
    for words in ("Response Status Error Code 503", "htmx:sendError"):
        with page.expect_console_message(saying(words)):
            page.clock.fast_forward(BETWEEN_QUESTIONS)
        expect(page.locator("#toasts")).to_have_text("")
    alice.write("new")
    wait_for_question(page)
    expect(pill(page)).to_have_text("1 new post")


def test_F5_click_that_fails_says_so(alice: Member, bob: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("503 /feed/new")
    page = open_home(browse, bob)
    alice.write("new")
    wait_for_question(page)
    sentence = "The database isn’t responding right now."
    page.route(
        "**/feed/new?show*", lambda route: route.fulfill(status=503, content_type="text/plain", body=sentence), times=1
    )
    pill(page).click()
    expect(page.locator("#toasts")).to_have_text(sentence)
    pill(page).click()
    expect(posts(page)).to_have_count(1)


def test_F5_pill_and_numbers_are_accessible_and_fit(app: Flask, alice: Member, bob: Member, browse: Browse) -> None:
    write_many(app, alice, 2)
    page = open_home(browse, bob)
    write_many(app, alice, 100)
    wait_for_question(page)
    expect(pill(page)).to_have_text("99+ new posts")
    check(page)
