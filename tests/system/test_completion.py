"""Completing @ and # while writing: with the keyboard, the mouse and a finger, and never in the way of the writing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.people import Member
from tests.system.clock import let_pass, open_and_stop_the_clock, settle, stop_the_clock
from tests.system.complaints import Complaints
from tests.system.conftest import Browse
from tests.system.paused_requests import requests_paused

Join = Callable[..., Member]
PAUSE = 120  # milliseconds in which nothing more is typed


@pytest.fixture
def friends(alice: Member, join: Join) -> Member:
    """Alice, with three people whose handles start alike and some tags on the site."""
    for handle, name in (("sam", "Sam Rivers"), ("samira", "Samira Okafor"), ("sanna", "Sanna Berg")):
        alice.follow(join(handle, name=name))
    other = join("writer")
    for words in ("#tea", "#tea and #teapot", "#tea, #teapot, #teacup"):
        other.write(words)
    return alice


def composer(page: Page) -> Locator:
    return page.get_by_label("Write a post")


def options(page: Page) -> Locator:
    return page.get_by_role("option")


def chosen(page: Page) -> Locator:
    return page.get_by_role("option", selected=True)


def begin(page: Page, text: str, *, offers: list[str]) -> None:
    """Type something and wait until it is offered what it may mean."""
    composer(page).press_sequentially(text)
    expect(options(page)).to_contain_text(offers)


def test_a_person_is_chosen_with_arrows_and_taken_with_enter(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "thanks @sa", offers=["Sanna Berg", "Samira Okafor", "Sam Rivers"])
    for key, name in (("ArrowDown", "Samira"), ("ArrowUp", "Sanna"), ("ArrowUp", "Sam Rivers"), ("ArrowUp", "Samira")):
        page.keyboard.press(key)
        expect(chosen(page)).to_contain_text(name)
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("thanks @samira ")
    expect(options(page)).to_have_count(0)
    expect(composer(page)).to_be_focused()
    page.keyboard.type("for the tea")
    expect(composer(page)).to_have_value("thanks @samira for the tea")


def test_the_first_is_chosen_and_tab_takes_it(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sami", offers=["Samira Okafor"])
    expect(composer(page)).to_have_attribute("aria-activedescendant", "completion-1")
    page.keyboard.press("Tab")
    expect(composer(page)).to_have_value("@samira ")
    expect(composer(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect(composer(page)).not_to_be_focused()


def test_people_are_found_by_name(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@oka", offers=["Samira Okafor"])
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("@samira ")


def test_a_whole_handle_and_a_new_tag_end_with_a_new_line(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sam", offers=["@sam", "@sam"])
    page.keyboard.press("Enter")
    begin(page, "#te", offers=["#tea", "#teapot", "#teacup"])
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("@sam\n#te\n")


def test_a_tag_is_completed_with_arrows_or_tab(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "#te", offers=["#tea 3 posts", "#teapot 2 posts", "#teacup 1 post"])
    expect(chosen(page)).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    begin(page, "#teac", offers=["#teacup"])
    page.keyboard.press("Tab")
    expect(composer(page)).to_have_value("#teapot #teacup ")


def test_escape_closes_it_until_the_next_word(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.clock.install()
    page.goto("/")
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    page.keyboard.press("Escape")
    expect(options(page)).to_have_count(0)
    stop_the_clock(page)
    with requests_paused(page, "**/complete?q=*") as requests:
        composer(page).press_sequentially("m")
        let_pass(page, 10 * PAUSE)
        assert requests == []
    expect(options(page)).to_have_count(0)
    page.clock.resume()
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("@sam\n")
    begin(page, "@sann", offers=["Sanna Berg"])


def test_ctrl_enter_posts_and_completes_nothing(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "hello @sami", offers=["Samira Okafor"])
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("feed").get_by_role("article")).to_contain_text(["hello @sami"])
    expect(options(page)).to_have_count(0)
    expect(composer(page)).to_have_value("")
    begin(page, "@sann", offers=["Sanna Berg"])  # in the new form, too


def test_in_the_middle_of_a_text_only_the_word_is_replaced(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    composer(page).fill("for xyz, with thanks")
    composer(page).evaluate("(field) => field.setSelectionRange(4, 4)")
    begin(page, "@sami", offers=["Samira Okafor"])
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("for @samira , with thanks")
    assert composer(page).evaluate("(field) => field.selectionStart") == len("for @samira ")


def test_what_was_completed_can_be_undone(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sami", offers=["Samira Okafor"])
    page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("@samira ")
    page.keyboard.press("Control+z")
    expect(composer(page)).to_have_value("@sami")


def test_the_room_that_is_left_counts_what_was_completed(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sami", offers=["Samira Okafor"])
    page.keyboard.press("Enter")
    expect(page.get_by_text("493 left")).to_be_visible()  # the space at the end does not count


def test_a_click_takes_one_and_the_field_keeps_the_focus(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/compose")
    begin(page, "#te", offers=["#tea", "#teapot", "#teacup"])
    options(page).nth(1).click()
    expect(composer(page)).to_have_value("#teapot ")
    expect(composer(page)).to_be_focused()
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    page.get_by_role("heading", name="New post").click()
    expect(options(page)).to_have_count(0)
    expect(composer(page)).to_have_value("#teapot @sa")


def test_a_finger_takes_one_below_the_text(friends: Member, browse: Browse) -> None:
    page = browse(friends, width=390, has_touch=True, is_mobile=True)
    page.goto("/compose")
    composer(page).tap()
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    field, shown = composer(page).bounding_box(), page.get_by_role("listbox").bounding_box()
    assert field and shown and shown["y"] >= field["y"] + field["height"]
    assert shown["x"] >= 0 and shown["x"] + shown["width"] <= 390
    page.get_by_role("option", name="Sanna").tap()
    expect(composer(page)).to_have_value("@sanna ")
    expect(composer(page)).to_be_focused()


def test_a_keyboard_on_the_screen_leaves_room_for_the_list(friends: Member, browse: Browse) -> None:
    page = browse(friends, width=390, has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 390, "height": 360})  # what a keyboard leaves of a small phone
    page.goto("/")
    page.get_by_role("link", name="What’s new?").tap()
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    shown, field = page.get_by_role("listbox").bounding_box(), composer(page).bounding_box()
    assert shown and shown["height"] >= 100 and shown["y"] + shown["height"] <= 360
    assert field and field["y"] + field["height"] > 60


def test_input_that_no_key_announced_is_completed(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    composer(page).focus()
    page.keyboard.insert_text("merci @sami")  # as from a keyboard on the screen: an input event and nothing else
    expect(options(page)).to_contain_text(["Samira Okafor"])


def test_an_answer_that_comes_too_late_is_ignored(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    open_and_stop_the_clock(page, "/")
    with page.expect_response("**/complete?q=*") as answer, requests_paused(page, "**/complete?q=*") as requests:
        composer(page).press_sequentially("@sa")
        let_pass(page, PAUSE)
        assert len(requests) == 1
        composer(page).press_sequentially(" nothing more")
    answer.value.finished()
    settle(page)
    expect(options(page)).to_have_count(0)
    page.unroute("**/complete?q=*")
    page.clock.resume()
    begin(page, " @sann", offers=["Sanna Berg"])


def test_typing_fast_asks_once(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    open_and_stop_the_clock(page, "/")
    with requests_paused(page, "**/complete?q=*") as requests:
        for letter in "@samir":
            composer(page).press_sequentially(letter)
            let_pass(page, PAUSE - 1)
        assert requests == []
        let_pass(page, 10 * PAUSE)
        assert [request.url.rpartition("=")[2] for request in requests] == ["%40samir"]


def test_while_the_next_answer_is_on_its_way_enter_takes_nothing_that_no_longer_fits(
    friends: Member, browse: Browse
) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    with requests_paused(page, "**/complete?q=*"):
        composer(page).press_sequentially("n")
        expect(options(page)).to_contain_text(["Sanna Berg"])
        composer(page).press_sequentially("x")
        expect(options(page)).to_have_count(0)
        page.keyboard.press("Enter")
    expect(composer(page)).to_have_value("@sanx\n")


def test_where_the_caret_moves_away_the_list_goes(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "one two @sa", offers=["Sa", "Sa", "Sa"])
    page.keyboard.press("Home")
    expect(options(page)).to_have_count(0)


@pytest.mark.parametrize("text", ["me@sa", "https://example.org/@sa", "a#te", "&#te", "##te", "@@sa", "#", "#1 tea"])
def test_what_is_no_mention_and_no_tag_is_left_alone(friends: Member, browse: Browse, text: str) -> None:
    page = browse(friends)
    open_and_stop_the_clock(page, "/")
    with requests_paused(page, "**/complete?q=*") as requests:
        composer(page).fill(text)
        let_pass(page, 10 * PAUSE)
        assert requests == []


def test_readers_of_the_screen_hear_of_it(friends: Member, browse: Browse) -> None:
    page = browse(friends)
    page.goto("/")
    begin(page, "@sa", offers=["Sa", "Sa", "Sa"])
    listbox = page.get_by_role("listbox", name="People")
    expect(composer(page)).to_have_attribute("aria-controls", str(listbox.get_attribute("id")))
    expect(composer(page)).to_have_attribute("aria-activedescendant", str(chosen(page).get_attribute("id")))
    expect(page.get_by_role("status").filter(has_text="3 suggestions")).to_be_attached()
    page.keyboard.press("Escape")
    left = composer(page).evaluate("(field) => field.getAttributeNames().filter((name) => name.startsWith('aria-'))")
    assert left == ["aria-describedby"]
    expect(page.get_by_role("status").filter(has_text="suggestion")).to_have_count(0)


def test_a_server_that_does_not_answer_is_no_trouble(friends: Member, browse: Browse, complaints: Complaints) -> None:
    complaints.expect("503 /complete")
    page = browse(friends)
    page.route("**/complete?q=*", lambda route: route.fulfill(status=503, body="away"), times=1)
    page.goto("/")
    with page.expect_response("**/complete?q=*"):
        composer(page).press_sequentially("@sa")
    expect(page.locator(".toast")).to_have_count(0)
    begin(page, "m", offers=["Sam", "Sam"])
